/** Errors of the engine and of the program in the model's own coordinates. */
import type { ErrorCode } from '../../src/errors.ts';
import { limitData } from '../../src/protocol/limits.ts';
import { MAX_ERROR_DATA_CHARS, type NameTable, type ProgramFailure, type SourcePosition } from '../../src/protocol/wire.ts';
import type { ReportedError } from '../guest/ops.ts';
import { markedSite } from '../program/call-sites.ts';
import type { NormalisedProgram } from '../program/types.ts';

/** From positions as guest and engine give them to positions in the model's text. */
export interface Locate {
  /** Of the evaluated code; the column counts code points. */
  evaluated(line: number, column: number): SourcePosition;
  /** Of the model's text, as it was written into a call; undefined for any other. */
  marked(line: number, column: number): SourcePosition | undefined;
}

export function createLocate({ toSource, callSites }: Pick<NormalisedProgram, 'toSource' | 'callSites'>): Locate {
  return { evaluated: toSource, marked: (line, column) => markedSite(callSites, line, column) };
}

const MAX_FRAMES = 20;
const FRAME = /^\s*at (?:(.*) )?\(?program\.js:(\d+)(?::(\d+))?\)?\s*$/;

const POSITION = /^(\d{1,9}):(\d{1,9})$/;

/** @param position `line:column` from the guest, which may hold anything */
export function siteAt(locate: Locate, position: string): SourcePosition | undefined {
  const [, line, column] = POSITION.exec(position) ?? [];
  return line === undefined ? undefined : locateText(locate, line, column);
}

/** @param line digits; those of a mark begin with a zero */
function locateText(locate: Locate, line: string, column = '1'): SourcePosition | undefined {
  const row = Number(line);
  if (row === 0) return undefined;
  return line.startsWith('0') ? locate.marked(row, Number(column)) : locate.evaluated(row, Math.max(1, Number(column)));
}

export interface FailureContext {
  readonly locate: Locate;
  readonly names: NameTable;
  /** The program's own limit. */
  readonly memoryBytes: number;
  /** Memory was full: a bare `null` then stands for "out of memory". */
  readonly exhausted: boolean;
}

/** What a program threw. */
export function programFailure(error: ReportedError, { locate, names, memoryBytes, exhausted }: FailureContext): ProgramFailure {
  if (error.engine === 'memory' || (error.engine === 'null' && exhausted)) return memoryFailure(memoryBytes);
  const positions = framesOf(error.stack, locate);
  const [first] = positions;
  return {
    code: codeOf(error),
    name: error.name,
    message: error.engine === 'stack' ? STACK_MESSAGE : withAdvice(error.name, error.message, names),
    ...(first && { site: first.site }),
    ...(error.call !== undefined && { call: error.call }),
    ...(positions.length > 0 && { stack: positions.map(({ name, site }) => `${name} (${site.line}:${site.column})`) }),
    // Its path may be as long as the program's keys.
    ...(error.data !== undefined && error.data.length <= MAX_ERROR_DATA_CHARS && { data: error.data }),
  };
}

function codeOf(error: ReportedError): ErrorCode {
  if (error.engine === 'stack') return 'stack_overflow';
  return (error.code as ErrorCode | undefined) ?? 'program_error';
}

interface Frame {
  readonly name: string;
  readonly site: SourcePosition;
}

function framesOf(stack: string, locate: Locate): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split('\n')) {
    const [, name = '', row, column] = FRAME.exec(line) ?? [];
    if (row === undefined) continue;
    const site = locateText(locate, row, column);
    if (!site) continue;
    frames.push({ name: name === '' || name.startsWith('<') ? 'program' : name, site });
    if (frames.length === MAX_FRAMES) break;
  }
  return frames;
}

const STACK_MESSAGE = 'The program called itself too deeply (stack overflow). Use a loop, or end the recursion earlier.';

export function memoryFailure(memoryBytes: number): ProgramFailure {
  return {
    code: 'memory_limit',
    name: 'MemoryLimitError',
    message: `The program used more memory than the ${memoryBytes} bytes it may (memoryBytes). Keep fewer rows at a time: page, filter or aggregate while reading.`,
    data: JSON.stringify(limitData('memoryBytes', memoryBytes)),
  };
}

export function stackFailure(): ProgramFailure {
  return { code: 'stack_overflow', name: 'StackOverflowError', message: STACK_MESSAGE };
}

export function crashFailure(message: string): ProgramFailure {
  return {
    code: 'executor_crashed',
    name: 'ExecutorCrashedError',
    message: `The sandbox broke while it ran the program: ${message}. Nothing is known about the state of calls under way.`,
  };
}

export function timeoutFailure(budgetMs: number): ProgramFailure {
  return {
    code: 'timeout',
    name: 'TimeoutError',
    message: `The program computed for longer than ${budgetMs} ms (timeoutMs); waiting for tools is not counted. Look for a loop that never ends, or do less in one program.`,
    data: JSON.stringify(limitData('timeoutMs', budgetMs)),
  };
}

export function cancelledFailure(): ProgramFailure {
  return { code: 'cancelled', name: 'CancelledError', message: 'The run was cancelled.' };
}

export function deadlockFailure(): ProgramFailure {
  return {
    code: 'deadlock',
    name: 'DeadlockError',
    message:
      'The program waits for a promise that nothing can settle: no call and no timer is pending. Look for a promise that is never resolved, or for a lock that is never released.',
  };
}

/** What programs reach for that is not there, and what to use instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  fetch: 'There is no network here: call one of the tools instead.',
  XMLHttpRequest: 'There is no network here: call one of the tools instead.',
  WebSocket: 'There is no network here: call one of the tools instead.',
  EventSource: 'There is no network here: call one of the tools instead.',
  axios: 'There is no network and there are no packages here: call one of the tools instead.',
  require: 'There are no modules here: use the tools and the globals of the language.',
  module: 'There are no modules here: end the program with the value to give back.',
  exports: 'There are no modules here: end the program with the value to give back.',
  process: 'This is not Node: what the program needs must come from a tool or stand in the program.',
  Buffer: 'This is not Node: use Uint8Array, TextEncoder, atob and btoa.',
  __dirname: 'There are no files here: use a tool.',
  document: 'There is no page here: return the data and let the application show it.',
  window: 'There is no page here: use globalThis, and return the data for the application to show.',
  self: 'Use globalThis.',
  global: 'Use globalThis.',
  alert: 'There is no page here: return the text, or write it with console.log.',
  prompt: 'There is no page here: nobody can be asked from a program.',
  confirm: 'There is no page here: a call that needs consent asks by itself.',
  localStorage: 'There is no storage here: use a tool.',
  sessionStorage: 'There is no storage here: use a tool.',
  indexedDB: 'There is no storage here: use a tool.',
  navigator: 'There is no browser here: what the program needs must come from a tool.',
  location: 'There is no page here: what the program needs must come from a tool.',
  WebAssembly: 'There is no WebAssembly here: write it in JavaScript.',
  Worker: 'There are no workers here: calls run in parallel with Promise.all.',
};

function withAdvice(name: string, message: string, names: NameTable): string {
  if (name === 'ReferenceError' && message.startsWith('could not load module')) return `${message}. ${INSTEAD.require}`;
  const missing = name === 'ReferenceError' ? /^'?([\w$]+)'? is not defined/.exec(message)?.[1] : undefined;
  if (missing === undefined) return message;
  return `${missing} is not defined.${advice(missing, names)}`;
}

function advice(missing: string, names: NameTable): string {
  if (Object.hasOwn(names.identifiers, missing)) return ` It is a tool: call tools.${missing}(…).`;
  if (Object.hasOwn(names.namespaces, missing)) return ` It is a group of tools: call tools.${missing}.….`;
  return Object.hasOwn(INSTEAD, missing) ? ` ${INSTEAD[missing]}` : '';
}
