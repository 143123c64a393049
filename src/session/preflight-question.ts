/** The page's side of the pre-flight question of a run: its answer, and what the run keeps of the judgement. */
import { readFacts } from '../bridge/reply-gate.ts';
import type { Catalog, Validation } from '../catalog/catalog.ts';
import type { RunError } from '../journal/events.ts';
import type { Clock } from '../protocol/clock.ts';
import { decode } from '../protocol/codec.ts';
import { MAX_PREFLIGHT_CHARS, type Warning, type WireCall, type WireReply } from '../protocol/wire.ts';
import type { CallView } from '../store/state.ts';
import { callError, wireError } from './call-errors.ts';
import { excerptOf } from './excerpt.ts';
import { type Analysis, judge, type Patience, type ProgramProblem } from './preflight.ts';
import { within } from './stopwatch.ts';

/** A validator that asks a server may do so; the program waits for the answer. Milliseconds. */
const PATIENCE_MS = 2_000;
const MAX_LISTED = 5;

/** Bounded by the session's clock. */
export function patience(clock: Clock): Patience {
  return (work: Promise<Validation>) => within(clock, PATIENCE_MS, work, 'validation').catch(() => undefined);
}

/** What one run knows from its pre-flight. */
export class Preflight {
  readonly #source: string;
  #analysis: Analysis | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Why the program does not run; absent while nothing speaks against it. */
  get refusal(): RunError | undefined {
    const errors = this.#analysis?.problems.filter(({ severity }) => severity === 'error') ?? [];
    return errors[0] && refusalOf(errors[0], errors, this.#source);
  }

  /** Answers the worker's question. Never rejects. */
  async answer(call: WireCall, catalog: Catalog, clock: Clock): Promise<WireReply> {
    const facts = readFacts(readable(call.input), MAX_PREFLIGHT_CHARS);
    this.#analysis = facts && (await judge(facts, catalog, patience(clock)));
    const { refusal } = this;
    if (!refusal) return { id: call.id, ok: true, value: 'true' };
    return { id: call.id, ok: false, error: wireError(callError(refusal.code, refusal.message)) };
  }

  /** What was doubtful and ran nevertheless. Of a failed run without what its calls say better themselves. */
  warnings(failedCalls: readonly CallView[]): readonly Warning[] {
    if (!this.#analysis?.ok) return [];
    return this.#analysis.problems.filter((problem) => !failedCalls.some((call) => isSame(problem, call))).map(toWarning);
  }
}

function readable(text: string): unknown {
  try {
    return decode(text, { maxDepth: 20 });
  } catch {
    return undefined;
  }
}

function isSame({ tool, site }: ProgramProblem, call: CallView): boolean {
  return call.tool === tool && call.site?.line === site?.line;
}

function toWarning({ code, message, site }: ProgramProblem): Warning {
  return { code: code === 'tool_not_found' ? 'unknown_tool' : 'unfit_input', message, ...(site && { site }) };
}

function refusalOf(first: ProgramProblem, all: readonly ProgramProblem[], source: string): RunError {
  const { site } = first;
  const excerpt = site && excerptOf(source, site);
  const others = all.slice(1, MAX_LISTED).map((each) => `Line ${each.site?.line ?? '?'}: ${each.message}`);
  if (all.length > MAX_LISTED) others.push(`And ${all.length - MAX_LISTED} more like these.`);
  return {
    code: first.code,
    name: 'InvalidInputError',
    message: ['The program was not started.', first.message, ...others].join(' '),
    ...(site && { site }),
    ...(excerpt !== undefined && { excerpt }),
    ...(first.issues && { data: { issues: first.issues } }),
  };
}
