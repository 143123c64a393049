import { expect, test } from 'vitest';
import type { Frame, RunEnd, WireReply } from '../protocol/wire.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { aFrame } from './test-tools/frames.ts';
import { aHost, aRequest, never } from './test-tools/requests.ts';
import { driveRun, MAX_IN_FLIGHT_CHARS } from './run-driver.ts';
import { createSlots } from './slots.ts';
import type { WorkerLink } from './worker-link.ts';

/** A link whose worker is the test. */
function fakeLink() {
  const settled: WireReply[][] = [];
  let onFrame: (frame: Frame) => void = () => {};
  let finish: (end: RunEnd) => void = () => {};
  const link = {
    frames: 0,
    fault: undefined,
    onDown: () => () => {},
    run: (_request: unknown, handlers: { frame(frame: Frame): void }) => {
      onFrame = handlers.frame;
      return new Promise<RunEnd>((resolve) => {
        finish = resolve;
      });
    },
    settle: (_runId: string, replies: readonly WireReply[]) => settled.push([...replies]),
    cancel: () => {},
    end: () => {},
  } as unknown as WorkerLink & { frames: number };
  return {
    link,
    /** Ids of the replies, message by message. */
    messages: () => settled.map((replies) => replies.map(({ id }) => id)),
    frame(frame: Frame): void {
      link.frames++;
      onFrame(frame);
    },
    finish: (end: RunEnd): void => finish(end),
  };
}

test('replies wait on the page while much is on its way to the worker, and one larger than all goes alone', async () => {
  const { link, messages, frame, finish } = fakeLink();
  const half = MAX_IN_FLIGHT_CHARS / 2;
  const sizes = [half, half, 10, MAX_IN_FLIGHT_CHARS + 1, 10];
  const turns: (() => void)[] = [];
  const host = aHost(async ({ id }) => ({ id, ok: true, value: 'x'.repeat(sizes[id - 1]!) }));
  const clock = createFakeClock();
  const dependencies = { clock, slots: createSlots(1, clock), nextTurn: (turn: () => void) => void turns.push(turn) };
  const request = aRequest('');
  const { runId } = request;
  const run = driveRun(link, request, true, host, never(), dependencies);
  const calls = sizes.map((_, index) => ({ id: index + 1, kind: 'tool' as const, tool: 'echo', input: '{}' }));
  frame(aFrame({ runId, seq: 1, calls, quiescent: true }));
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (const turn of turns) turn();
  expect(messages()).toEqual([[1, 2]]);
  const deliver = (seq: number, ids: readonly number[], quiescent: boolean): void =>
    frame(aFrame({ runId, seq, delivered: ids.map((id) => ({ kind: 'call' as const, id })), quiescent }));
  deliver(2, [1], false);
  expect(messages().slice(1)).toEqual([[3]]);
  deliver(3, [2], false);
  expect(messages()).toHaveLength(2);
  deliver(4, [3], true);
  expect(messages().slice(2)).toEqual([[4]]);
  deliver(5, [4], true);
  expect(messages().slice(3)).toEqual([[5]]);
  deliver(6, [5], true);
  const reply = { status: 'completed', value: '1', warnings: [], notAwaited: [], computeMs: 1, peakMemoryBytes: 1 } as const;
  finish({ reply, frames: link.frames, spent: false });
  expect(await run).toMatchObject({ reply, reusable: true });
});
