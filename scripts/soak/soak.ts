/** Thousands of mixed runs in sessions that open and close, through the public surface alone; the same in Node and on a page. */
import {
  type CodeMode,
  type Executor,
  type JournalStorage,
  type Limits,
  type RunOutcome,
  type Session,
  createCodeMode,
  memoryStorage,
} from 'react-code-mode/core';
import { approve, deny } from 'react-code-mode/testing';
import { type Expected, type Program, PROGRAMS } from './programs.ts';
import { createRandom, type Random } from './random.ts';
import { createTools, type SoakTools } from './tools.ts';

export interface SoakOptions {
  readonly executor: Executor;
  readonly runs: number;
  readonly seed: number;
  /** Sessions at work at the same time. */
  readonly lanes: number;
}

/** One stretch of a soak: all its sessions are closed at its end. */
export interface Batch {
  readonly runs: number;
  readonly sessions: number;
  readonly killed: number;
  /** Runs that ended otherwise than they should, in words. */
  readonly wrong: readonly string[];
}

/** Everything a soak keeps over its batches, and what must be zero between them. */
export interface Soak {
  batch(runs: number): Promise<Batch>;
  /** Handlers that were called and have not ended. */
  readonly handlersOpen: number;
  /** The application's own signal, given to every session and run: nobody may listen to it for longer. */
  readonly signal: AbortSignal;
  /** Journals that are left: none after a batch. */
  journals(): Promise<number>;
  dispose(): Promise<void>;
}

/** A session lives for so many runs at most. */
const MOST_RUNS = 24;
/** Small, so that filling it takes no second. */
const MEMORY_BYTES = 16 * 2 ** 20;
/** Of computing, for programs that never stop by themselves. Milliseconds. */
const HURRIED_MS = 300;
/** From the program's mark to the cancellation: it computes by then. Milliseconds. */
const CANCEL_MS = 15;

export function createSoak({ executor, seed, lanes }: Omit<SoakOptions, 'runs'>): Soak {
  const random = createRandom(seed);
  const tools = createTools();
  const storage = memoryStorage();
  const application = new AbortController();
  const create = (limits: Partial<Limits>): CodeMode =>
    createCodeMode({ tools: tools.list, executor, storage, limits: { memoryBytes: MEMORY_BYTES, ...limits } });
  const codeMode = create({});
  const hurried = create({ timeoutMs: HURRIED_MS });
  const place: Place = { codeMode, hurried, storage, tools, random, signal: application.signal };
  let serial = 0;

  const lane = async (share: number, tally: Tally): Promise<void> => {
    for (let left = share; left > 0; ) {
      const life = Math.min(left, 1 + random.below(MOST_RUNS));
      left -= await oneSession(place, life, tally, () => serial++);
    }
  };

  return {
    async batch(runs) {
      const tally: Tally = { sessions: 0, runs: 0, killed: 0, wrong: [] };
      const share = Math.ceil(runs / lanes);
      await Promise.all(Array.from({ length: lanes }, (_, i) => lane(Math.min(share, runs - i * share), tally)));
      return tally;
    },
    get handlersOpen() {
      return tools.open;
    },
    signal: application.signal,
    journals: async () => (await storage.list()).length,
    async dispose() {
      await codeMode[Symbol.asyncDispose]();
      await hurried[Symbol.asyncDispose]();
    },
  };
}

interface Tally {
  sessions: number;
  runs: number;
  killed: number;
  wrong: string[];
}

interface Place {
  readonly codeMode: CodeMode;
  /** The same with a short time limit. */
  readonly hurried: CodeMode;
  readonly storage: JournalStorage;
  readonly tools: SoakTools;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** A conversation: opened, used, closed, its journal deleted. @returns runs it made */
async function oneSession(place: Place, life: number, tally: Tally, next: () => number): Promise<number> {
  const { codeMode, storage, random, signal } = place;
  const session = codeMode.session({ signal });
  const stop = decideAll(session);
  tally.sessions++;
  let made = 0;
  for (let ended = false; made < life && !ended; made++) {
    const program = random.pick(PROGRAMS);
    const n = next();
    tally.runs++;
    if (program.killed) tally.killed++;
    const outcome = await (program.hurried ? hurriedRun(place, program, n) : oneRun(place, session, program, n));
    const wrong = judge(program.expected(n), outcome);
    if (wrong !== undefined) tally.wrong.push(`${program.name}: ${wrong}`);
    ended = program.cancel === 'session';
  }
  stop();
  await session[Symbol.asyncDispose]();
  await storage.delete(session.id);
  return made;
}

/** A session of one run. */
async function hurriedRun(place: Place, program: Program, n: number): Promise<RunOutcome> {
  const session = place.hurried.session();
  const outcome = await oneRun(place, session, program, n);
  await session[Symbol.asyncDispose]();
  await place.storage.delete(session.id);
  return outcome;
}

async function oneRun({ tools, signal }: Place, session: Session, program: Program, n: number): Promise<RunOutcome> {
  // Half of the runs hang on the application's signal, half on one of their own.
  const own = new AbortController();
  const run = session.run(program.source(n), { signal: program.cancel === 'signal' || n % 2 ? own.signal : signal });
  if (program.cancel) {
    tools.onMark(run.id, () =>
      setTimeout(() => {
        if (program.cancel === 'run') run.cancel('the soak');
        else if (program.cancel === 'signal') own.abort('the soak');
        else void session[Symbol.asyncDispose]();
      }, CANCEL_MS),
    );
  }
  return run.outcome;
}

/** The person: even amounts are allowed. @returns takes it back */
function decideAll(session: Session): () => void {
  return session.journal.subscribe((event) => {
    if (event.type !== 'approval.requested') return;
    const { callId, input } = event.data;
    void session.readValue(input).then(async (value) => {
      const even = (value as { amount: number }).amount % 2 === 0;
      await (even ? approve(session, callId) : deny(session, callId, 'odd'));
    });
  });
}

function judge({ status, codes, value }: Expected, outcome: RunOutcome): string | undefined {
  const code = outcome.status === 'failed' ? outcome.error.code : undefined;
  const got = `${outcome.status}${code === undefined ? '' : ` (${code}: ${outcome.status === 'failed' ? outcome.error.message.slice(0, 120) : ''})`}`;
  if (outcome.status !== status) return `${got} instead of ${status}`;
  if (codes && (code === undefined || !codes.includes(code))) return `${got} instead of ${codes.join(' or ')}`;
  if (value !== undefined && outcome.status === 'completed' && outcome.value !== value) {
    return `${JSON.stringify(outcome.value)} instead of ${JSON.stringify(value)}`;
  }
  return undefined;
}
