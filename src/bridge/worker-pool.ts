/**
 * Which worker serves whom. A worker is started for one memory size, serves one session from its first program on, and
 * is terminated when it is spent, when its session ends, when it idled too long or when another run needs its place.
 *
 * Long, because queue, places and spares are one book: whoever takes, gives back or ends a worker changes all three.
 */
import type { Clock } from '../protocol/clock.ts';
import type { Backoff } from './backoff.ts';
import { LinkDown, type WorkerLink } from './worker-link.ts';
import { faultOf, type WorkerOpener } from './worker-opener.ts';
import type { WorkerFault } from './worker-port.ts';

/** An idle worker without kept globals is closed after this. Milliseconds. */
export const IDLE_MS = 30_000;
/** Idle workers without kept globals; the least recently used one goes first. */
export const MAX_IDLE = 4;
/** Memory sizes that keep a spare; nearly every application uses one. */
const MAX_SPARES = 2;
/** A taken spare is replaced when its run has ended, or so long after it has got its worker. Milliseconds. */
const REFILL_MS = 100;
/** So long after it took a spare that then failed to start, a run gets another worker; later it fails, to be told in time. Milliseconds. */
const SECOND_CHANCE_MS = 1_000;

/** So long a program waits at most until its worker has its file. Milliseconds. */
const BEGIN_MS = 200;

interface Beginning {
  readonly reserve?: boolean;
  /** Called when the worker works by itself. */
  readonly begun?: () => void;
}

export interface AcquireRequest {
  readonly sessionId: string;
  readonly memoryBytes: number;
  readonly maxWorkers: number;
}

export interface Lease {
  readonly link: WorkerLink;
  /** Nothing of an earlier run of this session is in it. */
  readonly fresh: boolean;
  /** `reusable: false` terminates the worker. `keep`: it holds the session's globals and does not idle out. */
  release(result: { readonly reusable: boolean; readonly keep: boolean }): void;
}

export interface PoolCounts {
  readonly spare: number;
  readonly busy: number;
  readonly idle: number;
  /** Runs that wait for a worker. */
  readonly queued: number;
}

type SeatState = 'spare' | 'busy' | 'idle';

/** One place for a worker, from the decision to start it until it is gone. */
interface Seat {
  readonly memoryBytes: number;
  readonly link: Promise<WorkerLink>;
  live: WorkerLink | undefined;
  state: SeatState;
  sessionId: string | undefined;
  keep: boolean;
  /** The session ended while its program ran. */
  closing: boolean;
  /** The run that waits for it to start. */
  taker: Waiting | undefined;
  cancelIdle: () => void;
}

interface Waiting {
  readonly request: AcquireRequest;
  readonly take: (seat: Seat, fresh: boolean) => void;
  readonly refuse: (fault: WorkerFault) => void;
  /** Neither served nor refused nor cancelled. */
  readonly open: () => boolean;
  /** It took a spare that was still starting; when that one fails, it goes first for another worker until then. Epoch milliseconds. */
  secondChanceUntil: number | undefined;
}

export interface PoolOptions {
  readonly opener: WorkerOpener;
  readonly clock: Clock;
  readonly backoff: Backoff;
  /** Keep one started worker in reserve. */
  readonly spare: boolean;
}

export class WorkerPool {
  readonly #options: PoolOptions;
  /** In order of use: the first is the least recently used. */
  readonly #seats = new Set<Seat>();
  readonly #queue: Waiting[] = [];
  #maxWorkers = Number.POSITIVE_INFINITY;
  #disposed: WorkerFault | undefined;
  #serving = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Workers alive or starting, by state. */
  counts(): PoolCounts {
    const counts = { spare: 0, busy: 0, idle: 0 };
    for (const seat of this.#seats) counts[seat.state]++;
    return { ...counts, queued: this.#queue.length };
  }

  /** Waits for a worker of one's own. @throws LinkDown; `cancelled` when `signal` aborts */
  acquire(request: AcquireRequest, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (this.#disposed) return reject(new LinkDown(this.#disposed));
      let done = false;
      const refuse = (fault: WorkerFault): void => {
        if (done) return;
        done = true;
        signal.removeEventListener('abort', onAbort);
        const index = this.#queue.indexOf(waiting);
        if (index >= 0) this.#queue.splice(index, 1);
        reject(new LinkDown(fault));
      };
      const onAbort = (): void => refuse({ code: 'cancelled', message: 'The run was cancelled before it started.' });
      const waiting: Waiting = {
        request,
        refuse,
        open: () => !done,
        secondChanceUntil: undefined,
        take: (seat, fresh) => {
          seat.link.then(
            (link) => {
              if (done) return this.#giveBackUnused(seat, fresh);
              done = true;
              signal.removeEventListener('abort', onAbort);
              link.ref();
              resolve({ link, fresh, release: (result) => this.#release(seat, result) });
            },
            () => {}, // `#startFailed` has told the run
          );
        },
      };
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) return onAbort();
      this.#queue.push(waiting);
      this.#serve();
    });
  }

  /** A worker ahead of its first program. @throws LinkDown when none can be started */
  async warmUp(memoryBytes: number): Promise<void> {
    if (this.#disposed) throw new LinkDown(this.#disposed);
    await (this.#spareOf(memoryBytes) ?? this.#startSpare(memoryBytes)).link;
  }

  /**
   * The first worker of all, for a program that is about to come: at once, without what makes later ones faster. Resolves when
   * it works by itself, or cannot, or keeps one waiting: whoever has long work for this thread does it then.
   */
  prepare(memoryBytes: number): Promise<void> {
    if (this.#disposed || this.#seats.size > 0 || this.#options.backoff.refusal()) return Promise.resolve();
    return new Promise((resolve) => {
      const goOn = (): void => {
        cancelTimer();
        resolve();
      };
      const cancelTimer = this.#options.clock.schedule(goOn, BEGIN_MS);
      // Browsers hold back what a worker is sent until this thread has heard that it has started, which is a turn of its own.
      const begun = (): void => void setTimeout(goOn);
      this.#start(memoryBytes, 'spare', { reserve: false, begun }).link.catch(goOn);
    });
  }

  endSession(sessionId: string): void {
    for (const seat of [...this.#seats]) {
      if (seat.sessionId !== sessionId) continue;
      if (seat.state === 'busy') seat.closing = true;
      else this.#end(seat, 'Its session ended.');
    }
    this.#serve();
  }

  dispose(): void {
    this.#disposed = { code: 'executor_unavailable', message: 'The executor was disposed; create another one to run programs.' };
    for (const waiting of [...this.#queue]) waiting.refuse(this.#disposed);
    for (const seat of [...this.#seats]) this.#end(seat, this.#disposed.message);
  }

  // ---- who gets what ----

  /** Ending a worker to make room asks to serve again; the loop that is under way does. */
  #serve(): void {
    if (this.#serving) return;
    this.#serving = true;
    for (let waiting = this.#queue[0]; waiting !== undefined; waiting = this.#queue[0]) {
      const seat = this.#seatFor(waiting.request);
      if (seat === undefined) break;
      this.#queue.shift();
      this.#give(seat, waiting);
    }
    this.#serving = false;
  }

  #give(seat: Seat, waiting: Waiting): void {
    const fresh = seat.sessionId === undefined;
    this.#maxWorkers = waiting.request.maxWorkers;
    if (seat.live === undefined) {
      seat.taker = waiting;
      const secondChance = seat.state === 'spare' && waiting.secondChanceUntil === undefined;
      waiting.secondChanceUntil = secondChance ? this.#options.clock.now() + SECOND_CHANCE_MS : 0;
    }
    seat.cancelIdle();
    seat.state = 'busy';
    seat.sessionId = waiting.request.sessionId;
    this.#touch(seat);
    waiting.take(seat, fresh);
    // The program goes first, once it has its worker: starting another one costs a core for a while.
    if (this.#options.spare)
      seat.link.then(
        () => this.#refillIn(REFILL_MS, seat.memoryBytes),
        () => {},
      );
  }

  /** The session's own idle worker, the spare, or a new one; `undefined`: none now, the run waits. */
  #seatFor(request: AcquireRequest): Seat | undefined {
    for (const seat of [...this.#seats]) {
      if (seat.state !== 'idle' || seat.sessionId !== request.sessionId) continue;
      if (seat.memoryBytes === request.memoryBytes) return seat;
      this.#end(seat, 'Its session asked for another memory size.');
    }
    const spare = this.#spareOf(request.memoryBytes);
    const others = [...this.#seats].filter((seat) => seat !== spare);
    if (!this.#makeRoom(others, others.length + 1 - request.maxWorkers)) return undefined;
    return spare ?? this.#start(request.memoryBytes, 'busy');
  }

  /** Ends the workers that are missed least: spares of another size, idle ones, ones that keep globals. All it takes, or none. */
  #makeRoom(seats: readonly Seat[], places: number): boolean {
    if (places <= 0) return true;
    const spares = seats.filter((seat) => seat.state === 'spare');
    const idle = seats.filter((seat) => seat.state === 'idle');
    const victims = [...spares, ...idle.filter((seat) => !seat.keep), ...idle.filter((seat) => seat.keep)];
    if (victims.length < places) return false;
    for (const victim of victims.slice(0, places)) this.#end(victim, 'Another run needed its place.');
    return true;
  }

  #spareOf(memoryBytes: number): Seat | undefined {
    return [...this.#seats].find((seat) => seat.state === 'spare' && seat.memoryBytes === memoryBytes);
  }

  #refillIn(ms: number, memoryBytes: number): void {
    this.#options.clock.schedule(() => this.#refill(memoryBytes), ms);
  }

  /** One spare for each of the sizes in use; with the pool full there is none. */
  #refill(memoryBytes: number): void {
    if (this.#disposed || this.#spareOf(memoryBytes) || this.#options.backoff.refusal()) return;
    if (this.#seats.size < this.#maxWorkers) this.#startSpare(memoryBytes);
  }

  #startSpare(memoryBytes: number): Seat {
    const spares = [...this.#seats].filter((seat) => seat.state === 'spare');
    for (const seat of spares.slice(0, Math.max(0, spares.length - MAX_SPARES + 1)))
      this.#end(seat, 'A spare of another size took its place.');
    return this.#start(memoryBytes, 'spare');
  }

  // ---- one worker's life ----

  /** `reserve`: it has time to rehearse before its first program. */
  #start(memoryBytes: number, state: SeatState, { reserve = state === 'spare', begun }: Beginning = {}): Seat {
    const link = this.#options.opener.open(memoryBytes, reserve, begun);
    const seat: Seat = {
      memoryBytes,
      link,
      live: undefined,
      state,
      sessionId: undefined,
      keep: false,
      closing: false,
      taker: undefined,
      cancelIdle: () => {},
    };
    this.#seats.add(seat);
    link.then(
      (live) => this.#isUp(seat, live),
      (error: unknown) => this.#startFailed(seat, faultOf(error)),
    );
    return seat;
  }

  /** The run that took a spare does not pay for its death: before all others it gets another worker, once. */
  #startFailed(seat: Seat, fault: WorkerFault): void {
    const { taker } = seat;
    const inTime = (taker?.secondChanceUntil ?? 0) > this.#options.clock.now();
    if (taker?.open() && inTime && !this.#disposed) this.#queue.unshift(taker);
    else taker?.refuse(fault);
    this.#forget(seat);
  }

  #isUp(seat: Seat, live: WorkerLink): void {
    seat.live = live;
    seat.taker = undefined;
    if (!this.#seats.has(seat)) return live.end({ code: 'executor_unavailable', message: 'The worker was no longer wanted.' });
    // Whoever takes it next, in this same turn, holds it again.
    live.unref();
    live.onDown((fault) => {
      if (fault.code === 'executor_crashed') this.#options.backoff.failed(fault.message, seat.sessionId);
      this.#forget(seat);
    });
  }

  #release(seat: Seat, { reusable, keep }: { readonly reusable: boolean; readonly keep: boolean }): void {
    seat.live?.unref();
    if (reusable && !seat.closing && this.#seats.has(seat) && seat.live) {
      seat.state = 'idle';
      seat.keep = keep;
      this.#touch(seat);
      if (!keep) seat.cancelIdle = this.#options.clock.schedule(() => this.#end(seat, 'It was idle.'), IDLE_MS);
      this.#trimIdle();
    } else {
      this.#end(seat, 'It was spent.');
    }
    this.#serve();
    // In a turn of its own: starting a worker takes this thread 1–2 ms, and the run's end is not told yet.
    if (this.#options.spare) this.#refillIn(0, seat.memoryBytes);
  }

  /** Taken for a run that was cancelled meanwhile. A worker that no program has touched becomes the spare. */
  #giveBackUnused(seat: Seat, fresh: boolean): void {
    if (!fresh) {
      seat.live?.ref();
      return this.#release(seat, { reusable: true, keep: seat.keep });
    }
    if (!seat.live || !this.#seats.has(seat) || this.#spareOf(seat.memoryBytes)) return this.#end(seat, 'Nobody needed it.');
    seat.state = 'spare';
    seat.sessionId = undefined;
    this.#serve();
  }

  #trimIdle(): void {
    const idle = [...this.#seats].filter((seat) => seat.state === 'idle' && !seat.keep);
    for (const seat of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) this.#end(seat, 'Too many were idle.');
  }

  #touch(seat: Seat): void {
    this.#seats.delete(seat);
    this.#seats.add(seat);
  }

  #end(seat: Seat, why: string): void {
    seat.live?.end({ code: 'executor_unavailable', message: `The worker was ended. ${why}` });
    this.#forget(seat);
  }

  #forget(seat: Seat): void {
    seat.cancelIdle();
    if (this.#seats.delete(seat)) this.#serve();
  }
}
