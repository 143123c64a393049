/**
 * The little language of permissions: `amount <= 50 and currency = "EUR"`. Data, no code: a permission is shown to a person and
 * may be stored, so it must be readable and must not be able to do anything.
 */
import { pathKey, secretPaths } from '../journal/secrets.ts';
import { parsePath, pathText, readSteps, valuesAt, type PathStep } from './input-path.ts';

type Scalar = string | number | boolean | null;
type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in';

interface Condition {
  readonly path: readonly PathStep[];
  readonly operator: Operator;
  /** A list for `in`. */
  readonly operand: Scalar | readonly Scalar[];
}

/** Conditions that must all hold. */
export interface GrantRule {
  readonly conditions: readonly Condition[];
  /** In its one written form. */
  readonly text: string;
}

/** A permission is read by a person; more than this is not. */
const MAX_CONDITIONS = 12;
const MAX_CHARS = 1_000;

const OPERATOR = /^\s*(<=|>=|!=|==|=|<|>|in\b|is\b)\s*/;
const LITERAL = /^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|true\b|false\b|null\b)/;

/** Reads a rule, or says in a sentence what is wrong with it. */
export function parseGrantRule(text: string): GrantRule | { readonly problem: string } {
  if (typeof text !== 'string' || text.trim() === '') return { problem: 'a rule needs a condition, like `amount <= 50`' };
  if (text.length > MAX_CHARS) return { problem: `a rule may have ${MAX_CHARS} characters, this one has ${text.length}` };
  const conditions: Condition[] = [];
  let rest = text.trim();
  for (;;) {
    const read = readCondition(rest);
    if ('problem' in read) return read;
    conditions.push(read.condition);
    rest = read.rest.trimStart();
    if (rest === '') break;
    if (conditions.length === MAX_CONDITIONS) return { problem: `a rule may have ${MAX_CONDITIONS} conditions` };
    const and = /^(?:and\b|&&)\s*/i.exec(rest);
    if (!and) return { problem: `conditions are joined by \`and\`; found ${quote(rest)}` };
    rest = rest.slice(and[0].length);
  }
  return { conditions, text: conditions.map(conditionText).join(' and ') };
}

function readCondition(text: string): { condition: Condition; rest: string } | { problem: string } {
  const { steps: path, rest: afterPath } = readSteps(text);
  if (path.length === 0) return { problem: `a condition begins with a field of the input; found ${quote(text)}` };
  const operator = OPERATOR.exec(afterPath);
  if (!operator)
    return { problem: `after ${pathText(path)} comes one of =, !=, <, <=, >, >=, in; found ${quote(afterPath.trim())}` };
  const sign = operator[1] as string;
  const right = afterPath.slice(operator[0].length);
  const normal = (sign === '==' || sign === 'is' ? '=' : sign) as Operator;
  const operand = normal === 'in' ? readList(right) : readLiteral(right);
  if (!operand)
    return {
      problem: `after ${pathText(path)} ${normal} comes ${normal === 'in' ? 'a list like ["a", "b"]' : 'a number, a "text", true, false or null'}; found ${quote(right)}`,
    };
  if (isOrder(normal) && typeof operand.value !== 'number') return { problem: `${normal} compares numbers only` };
  return { condition: { path, operator: normal, operand: operand.value }, rest: operand.rest };
}

function readLiteral(text: string): { value: Scalar; rest: string } | undefined {
  const found = LITERAL.exec(text);
  if (!found) return undefined;
  const [literal] = found;
  try {
    const json = literal.startsWith("'") ? JSON.stringify(literal.slice(1, -1).replace(/\\(.)/g, '$1')) : literal;
    return { value: JSON.parse(json) as Scalar, rest: text.slice(literal.length) };
  } catch {
    return undefined;
  }
}

function readList(text: string): { value: readonly Scalar[]; rest: string } | undefined {
  if (!text.startsWith('[')) return undefined;
  const values: Scalar[] = [];
  let rest = text.slice(1).trimStart();
  for (;;) {
    const read = readLiteral(rest);
    if (!read) return undefined;
    values.push(read.value);
    rest = read.rest.trimStart();
    if (rest.startsWith(']')) return { value: values, rest: rest.slice(1) };
    if (!rest.startsWith(',')) return undefined;
    rest = rest.slice(1).trimStart();
  }
}

function conditionText({ path, operator, operand }: Condition): string {
  const right = Array.isArray(operand) ? `[${operand.map((each) => JSON.stringify(each)).join(', ')}]` : JSON.stringify(operand);
  return `${pathText(path)} ${operator} ${right}`;
}

/** True when every condition holds. A field that is missing, or an empty list under `[*]`, fulfils none. */
export function fulfils(rule: GrantRule, input: unknown): boolean {
  return rule.conditions.every((condition) => {
    const values = valuesAt(input, condition.path);
    return values !== undefined && values.length > 0 && values.every((value) => holds(condition, value));
  });
}

function holds({ operator, operand }: Condition, given: unknown): boolean {
  const value = typeof given === 'bigint' ? safeNumber(given) : given;
  if (operator === '=') return value === operand;
  // A value that is no plain one cannot be compared, so nothing is said about it.
  if (operator === '!=') return isScalar(value) && value !== operand;
  if (operator === 'in') return (operand as readonly unknown[]).includes(value);
  if (typeof value !== 'number' || typeof operand !== 'number') return false;
  if (operator === '<') return value < operand;
  if (operator === '<=') return value <= operand;
  return operator === '>' ? value > operand : value >= operand;
}

/** More fields than this make no rule that a person reads. */
const MAX_SUGGESTED = 6;
const MAX_TEXT = 80;

/** A rule that the input fulfils and a person can change: amounts as upper bounds, everything else as it is. Nothing where there is no plain field. */
export function suggestGrantRule(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const secret = secretPaths(input);
  const conditions = Object.entries(input).flatMap(([key, value]): Condition[] => {
    // A rule is shown, stored and listed in words.
    if (secret.has(pathKey([key]))) return [];
    const path = parsePath(pathText([key]));
    if (!path || !isScalar(value) || (typeof value === 'string' && value.length > MAX_TEXT)) return [];
    if (typeof value === 'number' && !Number.isFinite(value)) return [];
    return [{ path, operator: typeof value === 'number' && !namesSomething(key) ? '<=' : '=', operand: value }];
  });
  return conditions.length === 0 ? undefined : conditions.slice(0, MAX_SUGGESTED).map(conditionText).join(' and ');
}

/** `orderId`, `order_no`: a number that is a name. */
function namesSomething(key: string): boolean {
  return /(^|[._-])(id|no|nr|number|index|code|zip)$/i.test(key) || /[a-z](Id|No|Nr|Number|Index|Code)$/.test(key);
}

function isOrder(operator: Operator): boolean {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>=';
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function safeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return BigInt(number) === value ? number : value;
}

function quote(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.slice(0, 40));
}
