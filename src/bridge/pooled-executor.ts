/** The executor both platforms share: pool, slots, watch. The platform itself is passed in. */
import { CodeModeError, EnvironmentError } from '../errors.ts';
import type { Clock } from '../protocol/clock.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import type { ExecuteReply, ExecuteRequest, NameTable, ProgramFacts } from '../protocol/wire.ts';
import { createBackoff } from './backoff.ts';
import type { Executor, ToolHost } from './executor.ts';
import { checkExecutorOptions } from './executor-options.ts';
import { failedReply } from './failed-reply.ts';
import { nextTurn } from './next-turn.ts';
import { driveRun } from './run-driver.ts';
import { createSlots } from './slots.ts';
import { monotonicClock } from './system-clock.ts';
import type { WorkerPlatform } from './worker-port.ts';
import type { WorkerLink } from './worker-link.ts';
import { faultOf, WorkerOpener } from './worker-opener.ts';
import { type Lease, type PoolCounts, WorkerPool } from './worker-pool.ts';

/** Options of both executors. */
export interface PooledExecutorOptions {
  /** Programs that may compute at the same time; those that wait, or compute for more than a second, do not count. @default min(4, cores) */
  readonly maxComputing?: number;
  /** Time a worker may take to load and become ready. Milliseconds. @default 9000 */
  readonly initTimeoutMs?: number;
  /** Keep one started worker in reserve. @default true */
  readonly spare?: boolean;
  /** @default monotonic time and timers of the platform */
  readonly clock?: Clock;
}

/** An executor that also tells what it holds, for tests and diagnostics. */
export interface PooledExecutor extends Executor {
  readonly load: PoolCounts & { readonly waitingForSlot: number };
}

// A start that fails must be reported within 10 s.
const DEFAULT_INIT_TIMEOUT_MS = 9_000;
// More programs at full speed than this make the page itself slow on common machines.
const DEFAULT_COMPUTING = 4;
// Parsing the longest allowed program takes about 0.1 s; a parser that needs this long is under attack. Milliseconds.
const ANALYZE_TIMEOUT_MS = 5_000;
// No application can choose this id by accident.
const ANALYSIS_SESSION = '\u0000analysis';
/** Ends that say nothing about whether workers work. */
const NO_SIGN_OF_LIFE: ReadonlySet<string> = new Set([
  'executor_crashed',
  'executor_unavailable',
  'environment_unsupported',
  'cancelled',
]);

/** @throws InvalidOptionsError */
export function createPooledExecutor(platform: WorkerPlatform, options: PooledExecutorOptions): PooledExecutor {
  const {
    maxComputing = Math.min(DEFAULT_COMPUTING, platform.cores),
    initTimeoutMs = DEFAULT_INIT_TIMEOUT_MS,
    spare = true,
  } = options;
  checkExecutorOptions(options);
  const clock = options.clock ?? monotonicClock;
  const backoff = createBackoff(clock);
  const slots = createSlots(maxComputing, clock);
  const opener = new WorkerOpener({ platform, clock, backoff, initTimeoutMs });
  const pool = new WorkerPool({ opener, clock, backoff, spare });
  let { memoryBytes, maxWorkers } = DEFAULT_LIMITS;
  /** Runs that can go on without their worker, in the order in which they began to wait. */
  const offers = new Set<() => boolean>();
  let lastAnalysis: Promise<unknown> = Promise.resolve();

  /** One after another, the run that has waited longest first, until one can go on without its worker. */
  function makeRoom(): void {
    if (pool.counts().queued === 0) return;
    for (const park of offers) {
      offers.delete(park);
      if (park()) return;
    }
  }

  async function execute(request: ExecuteRequest, host: ToolHost, signal: AbortSignal): Promise<ExecuteReply> {
    ({ maxWorkers } = request);
    ({ memoryBytes } = request.limits);
    const refusal = signal.aborted ? undefined : backoff.refusal();
    if (refusal) return failedReply(refusal);
    let lease: Lease;
    try {
      const acquired = pool.acquire({ sessionId: request.sessionId, memoryBytes, maxWorkers }, signal);
      makeRoom();
      lease = await acquired;
    } catch (error) {
      return failedReply(faultOf(error));
    }
    const { reply, reusable } = await driveRun(lease.link, request, lease.fresh, host, signal, {
      clock,
      slots,
      nextTurn,
    });
    if (reply.status === 'completed' || !NO_SIGN_OF_LIFE.has(reply.error.code)) backoff.succeeded();
    const keep = request.state === 'session';
    lease.release({ reusable, keep });
    return keep && !reusable ? { ...reply, stateLost: true } : reply;
  }

  /** Analyses go one after another, on a worker that never runs a program. */
  function analyze(source: string, names: NameTable, signal: AbortSignal): Promise<ProgramFacts> {
    const before = lastAnalysis;
    const analysis = before.then(async () => {
      const lease = await pool.acquire({ sessionId: ANALYSIS_SESSION, memoryBytes, maxWorkers }, signal);
      try {
        return await readFacts(lease.link, source, names, signal);
      } finally {
        lease.release({ reusable: lease.link.fault === undefined, keep: false });
      }
    });
    lastAnalysis = analysis.catch(() => {});
    return analysis.catch((error: unknown) => {
      const { code, message, data } = faultOf(error);
      throw new CodeModeError(code, message, data);
    });
  }

  async function readFacts(link: WorkerLink, source: string, names: NameTable, signal: AbortSignal): Promise<ProgramFacts> {
    const cancelTimer = clock.schedule(
      () => link.end({ code: 'timeout', message: 'Parsing the program took too long.' }),
      ANALYZE_TIMEOUT_MS,
    );
    const onAbort = (): void => link.end({ code: 'cancelled', message: 'The analysis was cancelled.' });
    signal.addEventListener('abort', onAbort);
    try {
      return await link.analyze(source, names);
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    execute,
    analyze,
    prepare: (bytes) => pool.prepare(bytes),
    async warmUp(bytes) {
      try {
        await pool.warmUp(bytes);
      } catch (error) {
        const { code, message, data } = faultOf(error);
        throw new EnvironmentError(code, message, data);
      }
    },
    offerWorker(park) {
      offers.add(park);
      makeRoom();
      return () => offers.delete(park);
    },
    endSession: (sessionId) => pool.endSession(sessionId),
    get engine() {
      return opener.engine;
    },
    get load() {
      return { ...pool.counts(), waitingForSlot: slots.waiting };
    },
    async [Symbol.asyncDispose]() {
      pool.dispose();
      platform.dispose();
    },
  };
}
