import { parsePath } from '../policy/input-path.ts';
import type { PolicyRule, RuleLimit } from '../policy/types.ts';
import { invalid } from './invalid-option.ts';

const EFFECTS = ['allow', 'ask', 'simulate', 'deny', 'hide'];
// A misspelt condition would make a rule match more than it should, a misspelt limit bound nothing.
const FIELDS = ['name', 'match', 'when', 'effect', 'reason', 'max'];
const LIMIT_FIELDS = ['calls', 'sum', 'per', 'beyond'];

/** @throws InvalidOptionsError `invalid_options` naming the rule and the field */
export function checkRules(where: string, rules: readonly PolicyRule[] | undefined): void {
  rules?.forEach((rule, index) => {
    checkRule((path, problem) => {
      throw invalid(where, `policy[${index}]${path}`, problem);
    }, rule);
  });
}

type Refuse = (path: string, problem: string) => void;

function checkRule(refuse: Refuse, rule: PolicyRule): void {
  if (typeof rule !== 'object' || rule === null) return refuse('', 'must be an object');
  const { name, match, when, effect, reason, max } = rule;
  if (!EFFECTS.includes(effect)) refuse('.effect', `must be one of ${EFFECTS.join(', ')}`);
  if (match !== undefined && typeof match !== 'string' && typeof match !== 'function')
    refuse('.match', 'must be a name pattern or a function');
  if (when !== undefined && typeof when !== 'function') refuse('.when', 'must be a function');
  if (name !== undefined && (typeof name !== 'string' || name === '')) refuse('.name', 'must be a non-empty text');
  if (reason !== undefined && typeof reason !== 'string') refuse('.reason', 'must be a text');
  checkFields(refuse, '', rule, FIELDS);
  if (max === undefined) return;
  if (effect !== 'allow' && effect !== 'ask') refuse('.max', 'belongs to a rule that allows or asks');
  checkLimit(refuse, max);
}

function checkLimit(refuse: Refuse, max: RuleLimit): void {
  if (typeof max !== 'object' || max === null) return refuse('.max', 'must be an object');
  const { calls, sum, per, beyond } = max;
  if (calls === undefined && sum === undefined) refuse('.max', 'must have `calls` or `sum`');
  if (calls !== undefined && !(Number.isInteger(calls) && calls >= 0)) refuse('.max.calls', 'must be a whole number from 0 on');
  if (per !== 'run' && per !== 'session') refuse('.max.per', "must be 'run' or 'session'");
  if (beyond !== undefined && beyond !== 'ask' && beyond !== 'deny') refuse('.max.beyond', "must be 'ask' or 'deny'");
  checkFields(refuse, '.max', max, LIMIT_FIELDS);
  if (sum === undefined) return;
  if (typeof sum !== 'object' || sum === null) return refuse('.max.sum', 'must be { path, atMost }');
  if (typeof sum.path !== 'string' || !parsePath(sum.path))
    refuse('.max.sum.path', 'must be a place in the input, like `lines[*].price`');
  if (typeof sum.atMost !== 'number' || !(sum.atMost >= 0)) refuse('.max.sum.atMost', 'must be a number from 0 on');
  checkFields(refuse, '.max.sum', sum, ['path', 'atMost']);
}

function checkFields(refuse: Refuse, path: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) refuse(`${path}.${key}`, `is unknown. Known: ${known.join(', ')}`);
}
