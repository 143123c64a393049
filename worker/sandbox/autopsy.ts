/** After a program was stopped, or something left the engine that the prelude did not catch: what happened, and what it had written. */
import type { ExecuteRequest, ProgramFailure } from '../../src/protocol/wire.ts';
import type { ReportedEnd, ReportedError } from '../guest/ops.ts';
import type { NormalisedProgram } from '../program/normalise.ts';
import type { Engine } from './engine.ts';
import * as failures from './failure.ts';
import type { Frames } from './frames.ts';
import { type Gate, Stopped } from './gate.ts';
import type { Guest } from './guest.ts';
import type { Meter } from './meter.ts';
import { EngineFault, GuestThrow } from './realm.ts';

export interface AutopsyOptions {
  readonly engine: Engine;
  readonly guest: Guest;
  readonly request: ExecuteRequest;
  readonly program: NormalisedProgram;
  readonly meter: Meter;
  readonly gate: Gate;
  readonly frames: Frames;
}

export class Autopsy {
  readonly #options: AutopsyOptions;

  constructor(options: AutopsyOptions) {
    this.#options = options;
  }

  /** The failure of a program that ended by itself. */
  ofProgram(end: ReportedEnd, error: ReportedError): ProgramFailure {
    return withUnhandled(this.#translate(error), end);
  }

  /** @param begun false while the source could still be refused */
  explain(error: unknown, begun: boolean): ProgramFailure {
    const { engine, request } = this.#options;
    if (error instanceof Stopped) return this.#stopped();
    if (error instanceof GuestThrow) return this.#ofThrow(error, begun);
    if (!(error instanceof EngineFault)) return failures.crashFailure(error instanceof Error ? error.message : String(error));
    // Some parts of the engine do not look whether they got memory: then it traps.
    if (error.kind === 'memory_limit' || (error.kind === 'executor_crashed' && engine.wasFull()))
      return failures.memoryFailure(request.limits.memoryBytes);
    return error.kind === 'stack_overflow' ? failures.stackFailure() : failures.crashFailure(error.message);
  }

  /** Reads out what the program wrote before it was stopped. Only the prelude runs. */
  rescueOutput(): void {
    const { guest, gate, meter, frames } = this.#options;
    if (gate.broken) return;
    try {
      const collected = meter.grace(() => guest.collect());
      if (collected) frames.add(collected);
    } catch (error) {
      if (error instanceof GuestThrow) guest.realm.free(error.thrown);
      gate.note(error);
    }
  }

  #stopped(): ProgramFailure {
    const { meter, request } = this.#options;
    return meter.stopReason === 'cancelled' ? failures.cancelledFailure() : failures.timeoutFailure(request.limits.timeoutMs);
  }

  /** An exception left the engine itself: refused source, exhausted memory or stack inside of the prelude. */
  #ofThrow({ thrown }: GuestThrow, begun: boolean): ProgramFailure {
    const { engine, guest, request, gate, meter, frames } = this.#options;
    const exhausted = engine.wasFull();
    if (exhausted) engine.releaseReserve();
    try {
      meter.grace(() => guest.fail(thrown));
      const collected = meter.grace(() => guest.collect());
      guest.realm.free(thrown);
      if (collected) frames.add(collected);
      const error = collected?.report[5]?.error;
      if (error) {
        const failure = this.#translate(error);
        return begun || failure.name !== 'SyntaxError' ? failure : { ...failure, code: 'syntax_error' };
      }
    } catch (error) {
      gate.note(error);
    }
    return exhausted ? failures.memoryFailure(request.limits.memoryBytes) : failures.crashFailure('the engine gave no reason');
  }

  #translate(error: ReportedError): ProgramFailure {
    const { engine, program, request } = this.#options;
    const locate = failures.createLocate(program);
    return failures.programFailure(error, {
      locate,
      names: request.names,
      memoryBytes: request.limits.memoryBytes,
      exhausted: engine.wasFull(),
    });
  }
}

function withUnhandled(failure: ProgramFailure, end: ReportedEnd): ProgramFailure {
  const others = end.unhandled.filter(([call]) => call === 0 || call !== failure.call);
  if (others.length === 0) return failure;
  const list = others.slice(0, 3).map(([call, message]) => (call > 0 ? `call ${call}: ${message}` : message));
  return { ...failure, message: `${failure.message} (Also failed, unhandled: ${list.join('; ')})` };
}
