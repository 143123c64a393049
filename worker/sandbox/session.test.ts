import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive, type DriveOptions } from './test-tools/drive.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const session = (sessionId: string, more: DriveOptions = {}): DriveOptions => ({ state: 'session', sessionId, ...more });
const echo = (input: unknown): unknown => input;

describe('a session that keeps its state', () => {
  test('declarations live on; restart and the end of the session forget them', async () => {
    await drive(sandbox, 'let a = 1; const b = 2; class C { x = 3 } function f() { return a + b }', {}, session('s1'));
    expect((await drive(sandbox, 'let a = 5; [a, b, new C().x, f()]', {}, session('s1'))).value).toEqual([5, 2, 3, 7]);
    expect((await drive(sandbox, 'typeof a', {}, session('s1', { restart: true }))).value).toBe('undefined');
    await drive(sandbox, 'let kept = 1', {}, session('s1'));
    sandbox.endSession('s1');
    expect((await drive(sandbox, 'typeof kept', {}, session('s1'))).value).toBe('undefined');
    sandbox.endSession('s1');
  });

  test('sessions and single runs do not see each other', async () => {
    await drive(sandbox, 'var mine = 1', {}, session('a'));
    await drive(sandbox, 'var mine = 2', {}, session('b'));
    expect((await drive(sandbox, 'typeof mine')).value).toBe('undefined');
    expect((await drive(sandbox, 'mine', {}, session('a'))).value).toBe(1);
    expect((await drive(sandbox, 'mine', {}, session('b'))).value).toBe(2);
    sandbox.endSession('a');
    expect((await drive(sandbox, 'mine', {}, session('b'))).value).toBe(2);
    sandbox.endSession('b');
    expect((await drive(sandbox, '1 + 1')).reply).toMatchObject({ value: '2' });
    expect(sandbox.spent).toBe(false);
  });

  test('counts calls and looks up tools anew in each run', async () => {
    expect((await drive(sandbox, 'await tools.a({ n: 1 })', { a: echo }, session('c'))).calls[0]!.id).toBe(1);
    const { calls, value } = await drive(
      sandbox,
      '[await tools.a({ n: 2 }), await tool_b({ n: 3 })]',
      { z: echo, b: echo, a: (input) => ({ other: input }) },
      session('c'),
    );
    expect(calls.map((call) => [call.id, call.tool])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(value).toEqual([{ other: { n: 2 } }, { n: 3 }]);
    sandbox.endSession('c');
  });

  test('a failure keeps what was declared, a stop loses it', async () => {
    await drive(sandbox, 'var n = 1; throw new Error("x")', {}, session('d'));
    expect((await drive(sandbox, 'n', {}, session('d'))).value).toBe(1);
    const { reply } = await drive(sandbox, 'for (;;);', {}, session('d', { limits: { ...DEFAULT_LIMITS, timeoutMs: 50 } }));
    expect(reply.stateLost).toBe(true);
    expect((await drive(sandbox, 'typeof n', {}, session('d'))).value).toBe('undefined');
    sandbox.endSession('d');
  });

  test('a program that is cancelled while it waits keeps what was declared', async () => {
    await drive(sandbox, 'var n = 1', {}, session('g'));
    const { reply } = await drive(
      sandbox,
      'n = 2; await tools.a(); n = 3',
      { a: () => new Promise(() => {}) },
      {
        ...session('g'),
        onFrame: (frame, { runId }) => {
          if (frame.calls.length > 0) queueMicrotask(() => sandbox.cancel(runId));
        },
      },
    );
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(reply.stateLost).toBeUndefined();
    expect((await drive(sandbox, 'await tools.a(); n', { a: echo }, session('g'))).value).toBe(2);
    sandbox.endSession('g');
  });

  test('ended while its program runs, it lets the program finish and keeps nothing', async () => {
    await drive(sandbox, 'var n = 1', {}, session('f'));
    const running = drive(sandbox, 'await tools.a(); n + 1', { a: echo }, session('f'));
    sandbox.endSession('f');
    expect((await running).value).toBe(2);
    expect((await drive(sandbox, 'typeof n', {}, session('f'))).value).toBe('undefined');
    sandbox.endSession('f');
  });

  test('a promise of an earlier run stays pending; waiting for it is a deadlock', async () => {
    await drive(sandbox, 'var p = tools.a(); 1', { a: echo }, session('e'));
    expect((await drive(sandbox, 'await p', { a: echo }, session('e'))).reply).toMatchObject({ error: { code: 'deadlock' } });
    sandbox.endSession('e');
  });
});

describe('one program at a time', () => {
  test('a second one is refused while the first runs', async () => {
    const first = drive(sandbox, 'await tools.a(); 1', { a: async () => new Promise((resolve) => setTimeout(resolve, 20)) });
    expect((await drive(sandbox, '2')).reply).toMatchObject({ status: 'failed', error: { code: 'executor_crashed' } });
    expect((await first).reply).toMatchObject({ status: 'completed' });
  });

  test('a text that is no program never enters the engine', async () => {
    expect((await drive(sandbox, 'const y = ;')).reply).toMatchObject({
      status: 'failed',
      error: { code: 'syntax_error' },
      computeMs: 0,
    });
  });
});
