/**
 * The shape of every event, for what comes from a store or a file. Unknown fields and unknown types pass: a later addition
 * to a version is no damage. A type without a row here, and a field without a check, does not compile.
 */
import type { EventData, EventType } from './events.ts';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Check = (value) => typeof value === 'string';
const amount: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag: Check = (value) => typeof value === 'boolean';
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const pair =
  (first: Check, second: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1]);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const fields =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isFields(value) && Object.keys(shape).every((name) => shape[name]?.(Object.hasOwn(value, name) ? value[name] : undefined));

const stored = either(fields({ inline: text }), fields({ ref: text, bytes: whole, preview: text }));
const site = maybe(fields({ line: whole, column: whole }));
const error = { code: text, name: text, message: text };
const ends = {
  warnings: list(fields({ code: text, message: text, site, calls: maybe(list(whole)) })),
  stats: fields({ computeMs: amount, peakMemoryBytes: amount, calls: amount, transferBytes: amount }),
};
const risk = oneOf('read', 'write', 'danger');
const effect = oneOf('allow', 'ask', 'simulate', 'deny', 'hide');
const grantScope = either(oneOf('run', 'session', 'always'), fields({ next: whole }));
const reservation = fields({ rule: text, per: oneOf('run', 'session'), calls: amount, sum: amount });
const grantMatch = either(oneOf('input', 'tool'), fields({ rule: text }));
const call = { callId: text };

const SHAPES: { readonly [T in EventType]: { readonly [F in keyof EventData[T]]-?: Check } } = {
  'catalog.changed': { version: text, tools: list(text), definitions: list(text) },
  'journal.damaged': { reason: text, fromSeq: whole, lost: whole },
  'journal.trimmed': { runIds: list(text), runs: whole, ranges: list(pair(whole, whole)) },
  'state.lost': { reason: text },
  'state.forgotten': {},
  'run.queued': {
    source: text,
    title: maybe(text),
    waitsFor: maybe(text),
    preflight: maybe(flag),
    restart: maybe(flag),
    plan: maybe(text),
    direct: maybe(flag),
    ownContext: maybe(flag),
    retries: maybe(fields({ runId: text, callId: maybe(text) })),
  },
  'run.started': {
    seed: list(whole),
    locale: text,
    timeZone: text,
    engine: text,
    protocol: whole,
    catalogVersion: text,
    limits: fields({ timeoutMs: amount, memoryBytes: amount, maxCalls: amount }),
    state: oneOf('run', 'session'),
    fresh: flag,
  },
  'run.waiting': { callIds: list(text) },
  'run.resumed': {},
  'run.interrupted': {},
  'run.completed': { value: maybe(stored), notAwaited: list(text), ...ends },
  'run.failed': {
    error: fields({ ...error, site, callId: maybe(text), excerpt: maybe(text), stack: maybe(list(text)) }),
    ...ends,
  },
  'run.cancelled': { reason: maybe(text), ...ends },
  'output.written': { level: oneOf('debug', 'log', 'info', 'warn', 'error'), text, site },
  'output.emitted': { value: stored, site },
  'tool_call.requested': {
    ...call,
    ordinal: whole,
    tool: text,
    title: maybe(text),
    risk: maybe(risk),
    input: stored,
    inputBytes: whole,
    site,
    intent: maybe(text),
    group: whole,
    undoes: maybe(text),
  },
  'policy.evaluated': {
    ...call,
    effect,
    by: text,
    reason: maybe(text),
    rule: maybe(text),
    grantId: maybe(text),
    input: maybe(stored),
  },
  'approval.requested': {
    ...call,
    question: text,
    risk,
    input: stored,
    inputDigest: text,
    reason: maybe(text),
    expiresAt: maybe(amount),
    doubt: maybe(flag),
    own: maybe(flag),
  },
  'approval.decided': {
    ...call,
    decision: oneOf('allow', 'deny', 'answer', 'cancel_run'),
    scope: maybe(either(oneOf('once'), grantScope)),
    match: maybe(grantMatch),
    grantId: maybe(text),
    reason: maybe(text),
    input: maybe(stored),
    output: maybe(stored),
  },
  'approval.expired': call,
  'grant.created': {
    grantId: text,
    tool: text,
    scope: grantScope,
    match: grantMatch,
    input: maybe(stored),
    definitionHash: maybe(text),
    words: text,
    callId: maybe(text),
    loaded: maybe(flag),
  },
  'grant.revoked': { grantId: text, why: text },
  'plan.requested': {
    sourceDigest: text,
    tools: list(fields({ tool: text, title: text, risk, definitionHash: text, sites: list(site), askedAnyway: flag })),
    anyOf: maybe(whole),
    expiresAt: maybe(amount),
  },
  'plan.decided': { decision: oneOf('allow', 'call_by_call', 'deny', 'expired', 'ended'), reason: maybe(text) },
  'undo.requested': { of: text, callIds: list(text) },
  'tool_call.started': { ...call, input: maybe(stored), reserved: maybe(list(reservation)), repeatable: maybe(flag) },
  'tool_call.deferred': { ...call, token: text },
  'limit.released': call,
  'tool_call.progressed': { ...call, done: maybe(amount), total: maybe(amount), message: maybe(text) },
  'tool_call.succeeded': { ...call, output: stored, outputBytes: whole, simulated: maybe(flag) },
  'tool_call.failed': { ...call, error: fields(error), phase: oneOf('input', 'policy', 'handler', 'output', 'timeout') },
  'tool_call.denied': { ...call, error: fields(error) },
  'tool_call.cancelled': { ...call, reason: text },
  'tool_call.interrupted': call,
  'tool_call.replayed': call,
  'question.answered': { ordinal: whole, kind: text, input: stored, output: maybe(stored), error: maybe(fields(error)) },
  delivery: {
    items: list(fields({ kind: oneOf('call', 'timer'), id: whole })),
    clock: list(pair(whole, whole)),
  },
};

/** Every kind of event of the current version. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(SHAPES) as EventType[];

/** What is wrong with the outside of a stored event, of any version. */
export function envelopeFault(record: unknown, sessionId?: string): string | undefined {
  if (!isFields(record)) return 'a record is no event';
  const { v, seq, time, type, data, runId } = record;
  if (!whole(v) || v === 0) return 'an event has no version';
  if (!whole(seq) || !amount(time)) return 'an event has no place or time';
  if (!text(record['sessionId']) || (sessionId !== undefined && record['sessionId'] !== sessionId))
    return 'an event is of another session';
  if (runId !== undefined && !text(runId)) return 'an event has an unreadable run';
  return text(type) && isFields(data) ? undefined : 'an event has no type or content';
}

/** What is wrong with the content of an event of the current version. */
export function contentFault(type: string, data: unknown): string | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as EventType] : undefined;
  return !shape || fields(shape)(data) ? undefined : `the content of ${type} is not readable`;
}
