/**
 * The worker is assumed breached: whatever it sends, nothing runs unapproved or unlisted, the run ends with a code, the page
 * stays alive, and other sessions do not notice.
 */
import { afterAll, expect, it, vi } from 'vitest';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import type { Tool } from '../../src/catalog/tool.ts';
import { watchPage } from './watch-page.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor({ workerUrl: new URL('./breached-worker.mjs', import.meta.url), spare: false });
afterAll(() => executor[Symbol.asyncDispose]());

type Attack = readonly [name: string, worker: string, ends: string];

const ATTACKS: readonly Attack[] = [
  ['a tool that is not listed', `heard(() => end()); say({ calls: [call(1, { tool: 'hidden' })] })`, 'completed'],
  [
    'the prototype’s names',
    `heard(() => end()); say({ calls: [call(1, { tool: '__proto__' }), call(2, { tool: 'constructor' })] })`,
    'completed',
  ],
  [
    'an unapproved call, then its own answer to it',
    `say({ calls: [call(1, { tool: 'asked' })] }); say({ delivered: [{ kind: 'call', id: 1 }] }); end({ notAwaited: [1] })`,
    'waits',
  ],
  ['one call id twice', `say({ calls: [call(1)] }); say({ calls: [call(1)] })`, 'executor_crashed'],
  ['a call id ahead of its turn', `say({ calls: [call(7)] })`, 'executor_crashed'],
  ['more calls than allowed', `say({ calls: Array.from({ length: 1001 }, (_, i) => call(i + 1)) })`, 'executor_crashed'],
  ['a frame of another run', `say({ runId: 'run-1' }); say({}); end()`, 'executor_crashed'],
  ['frames after the end', `end(); setTimeout(() => { say({ calls: [call(1)] }) }, 20)`, 'completed'],
  ['two ends', `end(); end({ value: '"other"' }); raw({ nothing: true })`, 'completed'],
  ['an end with more frames than it sent', `end({}, { frames: 5 })`, 'executor_crashed'],
  [
    'a failure with a code of the page',
    `end({ status: 'failed', error: { code: 'executor_unavailable', name: 'E', message: 'm' } })`,
    'executor_crashed',
  ],
  ['an answer that is no data', `raw({ reply: new Map(), frames: 0, spent: false })`, 'executor_crashed'],
  ['a thrown error with a stack', `port.postMessage({ id: 'x', type: 'HANDLER', name: 'throw', value: {} }); end()`, 'completed'],
  [
    'a Comlink call to the page',
    `port.postMessage({ id: '1', type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'globalThis.pwned = 1' }] }); port.postMessage({ id: '2', type: 'GET', path: [] }); end()`,
    'completed',
  ],
  ['a value that is no text of the codec', `end({ value: '{"$t":"nothing"}' })`, 'serialization_error'],
  ['a value that is nested without end', `end({ value: '['.repeat(1e6) + ']'.repeat(1e6) })`, 'serialization_error'],
  [
    'a value that refers to itself again and again',
    `let t = '1'; for (let i = 1; i <= 40; i++) t = '{"$t":"def","v":[' + i + ',[' + t + ',{"$t":"ref","v":' + (i - 1 || 1) + '}]]}'; end({ value: t })`,
    'completed',
  ],
  [
    'one list of calls in a thousand warnings',
    `const calls = Array.from({ length: 100000 }, (_, i) => i + 1); end({ warnings: Array.from({ length: 1000 }, () => ({ code: 'other', message: 'm', calls })) })`,
    'executor_crashed',
  ],
  [
    'output above the limit, in small pieces',
    `for (let i = 0; i < 20; i++) say({ output: Array.from({ length: 1000 }, () => ({ kind: 'console', level: 'log', text: '' })) })`,
    'executor_crashed',
  ],
  [
    'clock readings without end',
    `for (let i = 0; i < 5; i++) say({ clock: Array.from({ length: 99000 }, (_, n) => [n, 1]) }); end()`,
    'executor_crashed',
  ],
  [
    'deliveries of what was never asked',
    `for (let i = 0; i < 20; i++) say({ delivered: Array.from({ length: 20000 }, (_, n) => ({ kind: 'timer', id: n })) }); end()`,
    'executor_crashed',
  ],
  ['frames without end that say nothing', `for (let i = 0; i < 500; i++) say({}); end()`, 'executor_crashed'],
  [
    'a question to the catalogue that cannot be written out',
    `let t = '[1]'; for (let i = 1; i <= 60; i++) t = '[{"$t":"def","v":[' + i + ',' + t + ']},{"$t":"ref","v":' + i + '}]'; heard(() => end()); say({ calls: [{ id: 1, kind: 'describe', tool: '', input: t }] })`,
    'completed',
  ],
  [
    'a thousand calls of the largest input',
    `const input = JSON.stringify('x'.repeat(4e6)); heard(() => end()); say({ calls: Array.from({ length: 1000 }, (_, i) => call(i + 1, { input })) })`,
    'timeout',
  ],
  [
    'death in the middle of a call',
    `say({ calls: [call(1, { tool: 'slow' })] }); setTimeout(() => process.exit(3), 20)`,
    'executor_crashed',
  ],
  ['an error thrown outside of everything', `setTimeout(() => { throw new Error('outside') }, 1)`, 'executor_crashed'],
];

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it.each(ATTACKS)('%s', async (_name, worker, ends) => {
  const ran: string[] = [];
  const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
    name,
    risk: 'write',
    execute: () => void ran.push(name),
    ...over,
  });
  await using codeMode = createCodeMode({
    executor,
    tools: [
      tool('free', { inputSchema: { type: 'object' } }),
      tool('hidden'),
      tool('asked', { needsApproval: true }),
      tool('slow', { execute: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)) }),
    ],
    policy: [{ match: 'hidden', effect: 'hide' }],
    limits: { timeoutMs: 2_000 },
  });
  const session = codeMode.session();
  const blocked = watchPage();
  const run = session.run(worker);
  if (ends === 'waits') {
    await vi.waitFor(() => expect(session.store.getState().pending).toHaveLength(1), 10_000);
    await wait(50);
    expect(ran).toEqual([]);
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
  } else {
    const outcome = await run.outcome;
    expect(outcome.status === 'failed' ? outcome.error.code : outcome.status).toBe(ends);
  }
  const { length } = session.journal.events;
  await wait(40);
  expect(session.journal.events).toHaveLength(length);
  expect(blocked()).toBeLessThan(4_000);
  expect(ran.filter((name) => name !== 'free')).toEqual([]);
  expect(ran.length).toBeLessThanOrEqual(1_000);
  expect('pwned' in globalThis).toBe(false);
  expect(await codeMode.session().run('end()').outcome).toMatchObject({ status: 'completed', value: 'lie' });
});
