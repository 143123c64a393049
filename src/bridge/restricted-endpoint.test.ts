import { releaseProxy, wrap } from 'comlink';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restrictEndpoint } from './restricted-endpoint.ts';
import type { WorkerPort } from './worker-port.ts';

/** A worker whose messages the test writes. */
function forgedWorker() {
  let deliver: (data: unknown) => void = () => {};
  const sent: { id: string; type: string; path?: string[] }[] = [];
  const port: WorkerPort = {
    post: (message) => void sent.push(message as (typeof sent)[number]),
    onMessage: (listener) => {
      deliver = listener;
    },
    onFault() {},
    terminate() {},
    ref() {},
    unref() {},
  };
  return { port, sent, say: (data: unknown) => deliver(data) };
}

interface Remote {
  ask(text: string): string;
}

test('the answer to an open question passes, once', async () => {
  const { port, sent, say } = forgedWorker();
  const endpoint = restrictEndpoint(port);
  const remote = wrap<Remote>(endpoint);
  const answer = remote.ask('x');
  say({ id: sent[0]?.id, type: 'RAW', value: 'y', extra: 1 });
  expect(await answer).toBe('y');
  say({ id: sent[0]?.id, type: 'RAW', value: 'z' });
  expect(endpoint.dropped).toBe(1);
});

test('a thrown error arrives as a message; its stack and other fields stay outside', async () => {
  const { port, sent, say } = forgedWorker();
  const remote = wrap<Remote>(restrictEndpoint(port));
  const answer = remote.ask('x');
  const value = {
    isError: true,
    value: { name: 'TypeError', message: 'no', stack: 'at secret (/home/me.js:1:1)', code: 'tool_denied', toString: 1 },
  };
  say({ id: sent[0]?.id, type: 'HANDLER', name: 'throw', value });
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(Object.keys(error as object).sort()).toEqual(['name']);
  expect((error as Error).message).toBe('no');
  expect((error as Error).stack).not.toContain('secret');
});

test.each([
  ['a call into the page', { id: 'a', type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [] }],
  ['a read of the page', { id: 'a', type: 'GET', path: ['constructor'] }],
  ['a live proxy as an answer', { id: 'open', type: 'HANDLER', name: 'proxy', value: new MessageChannel().port1 }],
  ['an answer nobody asked for', { id: 'other', type: 'RAW', value: 1 }],
  ['the greeting', 'codemode:up'],
  ['nothing', undefined],
])('%s is dropped and counted', (_what, message) => {
  const { port, sent, say } = forgedWorker();
  const endpoint = restrictEndpoint(port);
  const remote = wrap<Remote>(endpoint);
  let settled = false;
  void remote.ask('x').finally(() => {
    settled = true;
  });
  const id = (message as { id?: string } | undefined)?.id === 'open' ? { id: sent[0]?.id } : {};
  say(typeof message === 'object' ? { ...message, ...id } : message);
  expect(endpoint.dropped).toBe(1);
  expect(settled).toBe(false);
  expect(sent).toHaveLength(1);
});

test('nothing a worker says makes the page answer, throw, or settle another question', () => {
  const words = fc.record({
    id: fc.oneof(fc.string(), fc.constant('open'), fc.anything()),
    type: fc.oneof(fc.constantFrom('RAW', 'HANDLER', 'APPLY', 'GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'), fc.anything()),
    name: fc.oneof(fc.constantFrom('throw', 'proxy'), fc.anything()),
    path: fc.oneof(fc.array(fc.constantFrom('constructor', '__proto__', 'frame', 'then')), fc.anything()),
    argumentList: fc.anything(),
    value: fc.anything({ withMap: true, withDate: true, withBigInt: true }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.anything()), { maxLength: 10 }), (messages) => {
      const { port, sent, say } = forgedWorker();
      const endpoint = restrictEndpoint(port);
      const heard: unknown[] = [];
      endpoint.addEventListener('message', ((event: MessageEvent) => heard.push(event.data)) as never);
      endpoint.postMessage({ id: 'open' });
      for (const message of messages) say(message);
      expect(sent).toHaveLength(1);
      expect(heard.length).toBeLessThanOrEqual(1);
      for (const data of heard) expect(['RAW', 'HANDLER']).toContain((data as { type: string }).type);
      expect(endpoint.dropped).toBe(messages.length - heard.length);
    }),
    { numRuns: 500 },
  );
}, 30_000);

test('released, it listens to nobody', () => {
  const { port, say } = forgedWorker();
  const endpoint = restrictEndpoint(port);
  const remote = wrap<Remote>(endpoint);
  remote[releaseProxy]();
  endpoint.close();
  expect(() => say({ id: 'x', type: 'RAW' })).not.toThrow();
});
