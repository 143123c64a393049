/** Rules in words, put together from the plain fields of an input: `amount <= 50 and currency = "EUR"`. Pure. */
import { pathKey, type SecretPaths, isPlainObject } from '../../journal/secrets.ts';

export type RuleOperator = '<=' | '>=' | '=';
type Scalar = string | number | boolean;

/** A field a rule may look at, and what the person set for it. */
export interface RuleField {
  /** As the rule writes it: `amount`, `customer.id`. */
  readonly path: string;
  /** In the call that waits. */
  readonly value: Scalar;
  readonly used: boolean;
  readonly operator: RuleOperator;
  /** As typed. */
  readonly text: string;
}

/** More fields make no rule that a person reads. */
const MAX_FIELDS = 8;
const MAX_TEXT = 80;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
/** A number that names something is no amount. */
const NAMES = /(^|[._-])(id|no|nr|number|index|code|zip)$|[a-z](Id|No|Nr|Number|Index|Code)$/;

/** The fields of an input that a rule can be about, numbers first used as upper bounds. Secrets never become part of a rule. */
export function ruleFields(input: unknown, secrets: SecretPaths): readonly RuleField[] {
  const found: RuleField[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (!isPlainObject(value) || path.length > 2) return;
    for (const [key, item] of Object.entries(value)) {
      const place = [...path, key];
      if (!PLAIN_KEY.test(key) || secrets.has(pathKey(place))) continue;
      if (!isScalar(item)) walk(item, place);
      else {
        const isAmount = typeof item === 'number' && !NAMES.test(key);
        found.push({ path: place.join('.'), value: item, used: isAmount, operator: isAmount ? '<=' : '=', text: String(item) });
      }
    }
  };
  walk(input, []);
  return found.slice(0, MAX_FIELDS);
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || (typeof value === 'string' && value.length <= MAX_TEXT);
}

/** The rule that the fields say, `undefined` while none is used or one has no value of its kind. */
export function ruleText(fields: readonly RuleField[]): string | undefined {
  const used = fields.filter((field) => field.used);
  const parts = used.map((field) => {
    const operand = operandOf(field);
    return operand === undefined ? undefined : `${field.path} ${field.operator} ${JSON.stringify(operand)}`;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(' and ');
}

/** Whether the call that waits fulfils what the fields say. */
export function fitsOwn(fields: readonly RuleField[]): boolean {
  return fields
    .filter((field) => field.used)
    .every((field) => {
      const operand = operandOf(field);
      if (field.operator === '=' || typeof field.value !== 'number' || typeof operand !== 'number')
        return operand === field.value;
      return field.operator === '<=' ? field.value <= operand : field.value >= operand;
    });
}

function operandOf({ value, text }: RuleField): Scalar | undefined {
  if (typeof value === 'string') return text;
  if (typeof value === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
