/** Frames and limits for tests of the guards. */
import { packFrame } from '../../protocol/packing.ts';
import type { Frame, WireCall, WorkerLimits } from '../../protocol/wire.ts';

export const SMALL_LIMITS: WorkerLimits = {
  timeoutMs: 1_000,
  memoryBytes: 16 * 1024 * 1024,
  maxOutputBytes: 1_000,
  maxInputBytes: 50,
  maxResultBytes: 100,
  maxCalls: 5,
  maxDepth: 10,
};

export function aFrame(change: Partial<Frame> = {}): Frame {
  return {
    runId: 'run',
    seq: 1,
    output: [],
    delivered: [],
    clock: [],
    calls: [],
    computeMs: 0,
    memoryBytes: 0,
    quiescent: true,
    ...change,
  };
}

export function aCall(id: number, change: Partial<WireCall> = {}): WireCall {
  return { id, kind: 'tool', tool: 'echo', input: '{}', ...change };
}

/** As a worker sends it, whatever its fields are: what is no list stands where the length of one belongs. */
export function sent(frame: { readonly [K in keyof Frame]: unknown }): readonly unknown[] {
  try {
    return packFrame(frame as Frame);
  } catch {
    const { runId, seq, computeMs, memoryBytes, quiescent, nextTimerMs, output, delivered, clock, calls } = frame;
    return [runId, seq, computeMs, memoryBytes, quiescent, nextTimerMs, output, delivered, clock, calls];
  }
}
