/** What the model reads about a finished run: the value, or what went wrong, where, and what has already been done. */
import { toModelJson } from '../protocol/plain.ts';
import { cutJson } from './model-cut.ts';
import { callLines } from './model-calls.ts';
import { count, wellFormed, wholeCharacters } from './model-words.ts';
import type { OutputItem, RunOutcome } from './types.ts';

export interface OutcomeTextOptions {
  /** The program as the model wrote it. */
  readonly source: string;
  /** Most characters of the text. */
  readonly maxChars: number;
  /** Failed attempts that are left; absent: not counted. */
  readonly attemptsLeft?: number;
  /** Name under which a later program loads the whole result. */
  readonly resultName?: string;
}

type Failed = Extract<RunOutcome, { status: 'failed' }>;
type Completed = Extract<RunOutcome, { status: 'completed' }>;

/** Room that notes, warnings and calls always keep beside a large value. */
const NOTES_SHARE = 0.25;
const MAX_DATA_CHARS = 2_000;

export function outcomeText(outcome: RunOutcome, options: OutcomeTextOptions): string {
  return wellFormed(outcome.status === 'completed' ? completedText(outcome, options) : stoppedText(outcome, options));
}

function stoppedText(outcome: Exclude<RunOutcome, Completed>, options: OutcomeTextOptions): string {
  const head =
    outcome.status === 'failed'
      ? failureHead(outcome, options.source)
      : [`The run was cancelled${outcome.reason ? `: ${outcome.reason}` : ''}.`];
  return failedText(outcome, head, options);
}

function completedText(outcome: Completed, { maxChars, resultName }: OutcomeTextOptions): string {
  const notes = [...outcome.warnings.map(warningLine), ...shownLine(outcome.output)].join('\n');
  const lines = consoleLines(outcome.output);
  const hasValue = outcome.value !== undefined;
  const hint = hasValue ? '' : 'Completed without a value. To see a result, end the program with `return value`.';
  const result = hasValue ? toModelJson(outcome.value) : undefined;
  const json = hasValue ? (JSON.stringify(result) ?? 'null') : undefined;
  const whole = joined([bodyText(lines.length > 0 ? lines.join('\n') : undefined, json), hint, notes]);
  if (whole.length <= maxChars) return whole;
  const tail = joined([hint, clip(notes, Math.floor(maxChars * NOTES_SHARE))]);
  if (!hasValue && lines.length === 0) return clip(tail, maxChars);
  return clip(
    withCutNote(lines, json === undefined ? undefined : { value: result, json }, tail, { maxChars, resultName }),
    maxChars,
  );
}

/** The JSON of the value, or of `{ output, result }` when something was written to the console. */
function bodyText(output: string | undefined, json: string | undefined): string {
  if (output === undefined) return json ?? '';
  return `{"output":${JSON.stringify(output)}${json === undefined ? '' : `,"result":${json}`}}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** What fits of value and console, and a sentence that says what does not. */
function withCutNote(
  lines: readonly string[],
  result: { readonly value: unknown; readonly json: string } | undefined,
  tail: string,
  { maxChars, resultName }: Pick<OutcomeTextOptions, 'maxChars'> & { readonly resultName: string | undefined },
): string {
  const room = maxChars - tail.length - CUT_NOTE_CHARS;
  const output = lines.length > 0 ? joinLines(lines, result === undefined ? room : Math.floor(room / 2)) : undefined;
  const frame = output === undefined ? 0 : JSON.stringify({ output: output.text, result: 0 }).length;
  const value = result === undefined ? undefined : cutJson(result.value, Math.max(100, room - frame), result.json);
  const cut = [
    ...(output && output.left > 0 ? [`output: ${count(output.left)} of ${count(lines.length)} lines left out`] : []),
    ...(value && value.cuts.length > 0
      ? value.cuts.slice(0, 3).map(({ path, words }) => `${path === '' ? 'result' : `result.${path}`}: ${words}`)
      : []),
  ];
  const isKept = resultName !== undefined && value !== undefined && value.cuts.length > 0;
  const load = isKept ? ` The next program has the whole result with \`await codemode.results.load("${resultName}")\`.` : '';
  const note =
    cut.length > 0
      ? `Truncated to ${count(maxChars)} characters (maxModelChars; ${clip(cut.join('; '), CUT_LIST_CHARS)}). Return less: filter or summarise in the program.${load}`
      : '';
  return joined([bodyText(output?.text, value?.text), clip(note, CUT_NOTE_CHARS), tail]);
}

/** Room for the sentence that says what was cut. */
const CUT_NOTE_CHARS = 400;
const CUT_LIST_CHARS = 200;

function failedText(
  outcome: Exclude<RunOutcome, Completed>,
  head: readonly string[],
  { maxChars, attemptsLeft }: OutcomeTextOptions,
): string {
  const calls = callLines(outcome.calls);
  const end = [...outcome.warnings.map(warningLine), ...attemptLine(outcome, attemptsLeft)].join('\n');
  const lines = consoleLines(outcome.output);
  const fixed = [
    clip(head.join('\n'), Math.floor(maxChars / 2)),
    clip(calls.join('\n'), Math.floor(maxChars / 4)),
    clip(end, Math.floor(maxChars / 8)),
  ];
  const room = maxChars - fixed.join('\n\n').length - 40;
  const written = lines.length > 0 && room > 100 ? [`Console output:\n  ${indented(joinLines(lines, room).text)}`] : [];
  return clip(
    [fixed[0], fixed[1], ...written, fixed[2]].filter((part) => part !== undefined && part !== '').join('\n\n'),
    maxChars,
  );
}

function failureHead({ error }: Failed, source: string): string[] {
  const place = error.site ? ` at ${error.site.line}:${error.site.column}` : '';
  const name = error.name === 'CodeModeError' ? '' : `${error.name}: `;
  return [
    `The program failed (${error.code})${place}.`,
    `${name}${indented(error.message)}`,
    ...(error.excerpt !== undefined ? ['', error.excerpt] : sourceLine(error.site, source)),
    ...dataLines(error),
    ...hintFor(error.code),
  ];
}

/** What others wrote, further lines set in: they must not pass for a heading, a call or a warning of this text. */
function indented(text: string): string {
  return text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ');
}

/** Without an excerpt of the session: the line itself with a caret. */
function sourceLine(site: Failed['error']['site'], source: string): string[] {
  const line = site && source.split(/\r\n|\r|\n/)[site.line - 1];
  if (!site || line === undefined) return [];
  const gutter = `${site.line} | `;
  return ['', gutter + line.slice(0, 200), `${' '.repeat(Math.min(gutter.length + site.column - 1, 200))}^`];
}

/** Suggestions, schema problems and a tool's own data, as far as the message does not hold them. */
function dataLines({ message, data }: Failed['error']): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const { suggestions, issues, ...rest } = withoutLimit(message, data);
  const guesses = Array.isArray(suggestions)
    ? suggestions.filter((one): one is string => typeof one === 'string' && !message.includes(one))
    : [];
  const problems = Array.isArray(issues) ? issues.map(issueMessage).filter((text) => text !== '' && !message.includes(text)) : [];
  const own = Object.keys(rest).length > 0 ? cutJson(toModelJson(rest), MAX_DATA_CHARS).text : '';
  return [
    ...(guesses.length > 0 ? [`Did you mean ${guesses.join(' or ')}?`] : []),
    ...problems.map((text) => `- ${text}`),
    ...(own === '' ? [] : [`Data: ${own}`]),
  ];
}

/** The message names the limit and its value already. */
function withoutLimit(message: string, data: object): { suggestions?: unknown; issues?: unknown } {
  const { limit, value: _value, actual: _actual, ...rest } = data as Readonly<Record<string, unknown>>;
  return typeof limit === 'string' && message.includes(`(${limit})`) ? rest : data;
}

function issueMessage(issue: unknown): string {
  const { message } = (typeof issue === 'object' && issue !== null ? issue : {}) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}

const HINTS: Readonly<Record<string, string>> = {
  tool_denied: 'A person or a rule refused this call. Do not send the same call again: go on without it, or ask the user.',
  approval_expired: 'Nobody answered in time, so the call was not made. Ask the user before you try again.',
  syntax_error: 'Nothing of the program ran.',
  unsupported_language: 'Nothing of the program ran. Write JavaScript or TypeScript.',
  source_too_large: 'Nothing of the program ran.',
  deadlock: 'Await the tool calls themselves.',
};

function hintFor(code: string): string[] {
  const hint = HINTS[code];
  return hint === undefined ? [] : [hint];
}

function attemptLine(outcome: Exclude<RunOutcome, Completed>, left: number | undefined): string[] {
  if (outcome.status === 'cancelled') return ['Do not run it again unless the user asks for it.'];
  if (left === undefined) return [];
  if (left <= 0) return ['No attempts left: do not run another program. Tell the user what failed and what has been done.'];
  const changed = outcome.calls.some(({ status, readOnly }) => status === 'succeeded' && !readOnly);
  const done = changed ? ' that leaves out the changes that have succeeded' : '';
  return [`${left} ${left === 1 ? 'attempt' : 'attempts'} left. Correct the program and run a whole new one${done}.`];
}

function warningLine({ message, site }: RunOutcome['warnings'][number]): string {
  return `Warning: ${indented(message)}${site ? ` (line ${site.line}:${site.column})` : ''}`;
}

function shownLine(output: readonly OutputItem[]): string[] {
  const shown = output.filter(({ kind }) => kind === 'emit').length;
  return shown === 0 ? [] : [`Shown to the user: ${shown} ${shown === 1 ? 'value' : 'values'}.`];
}

function consoleLines(output: readonly OutputItem[]): string[] {
  return output.flatMap((item) => {
    if (item.kind !== 'console') return [];
    return [item.level === 'warn' || item.level === 'error' ? `[${item.level}] ${item.text}` : item.text];
  });
}

/** Whole lines from the start, and the last ones: errors stand at the end. */
function joinLines(lines: readonly string[], maxChars: number): { text: string; left: number } {
  const all = lines.join('\n');
  if (JSON.stringify(all).length <= maxChars) return { text: all, left: 0 };
  const start = take(lines, maxChars * 0.7);
  const end = take([...lines.slice(start.length)].reverse(), maxChars * 0.2).reverse();
  const left = lines.length - start.length - end.length;
  if (start.length === 0)
    return {
      text: `${wholeCharacters((lines[0] ?? '').slice(0, Math.floor(maxChars / 3)))}… (truncated)`,
      left: lines.length - 1,
    };
  return { text: [...start, `… (${count(left)} lines truncated)`, ...end].join('\n'), left };
}

/** As many whole lines as fit, counted as JSON writes them. */
function take(lines: readonly string[], room: number): string[] {
  const taken: string[] = [];
  let left = room;
  for (const line of lines) {
    left -= JSON.stringify(line).length;
    if (left < 0) break;
    taken.push(line);
  }
  return taken;
}

function clip(text: string, max: number): string {
  return text.length > max ? `${wholeCharacters(text.slice(0, Math.max(0, max - 14)))}… (truncated)` : text;
}
