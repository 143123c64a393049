/** The worker under the headers that a server may send, in one browser. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORKER_CSP } from '../../scripts/plugins/worker-file.ts';
import { KEPT_GLOBALS } from '../../worker/lock-down-lists.ts';
import { HARMLESS_CONSTANTS, openWays, PROBE, type RealmSurvey, unknownGlobals } from '../../worker/test-tools/probe.ts';
import { workerUrl } from '../../src/worker-url.ts';
import { type BrowserEngine, openPages, type Pages } from './pages.ts';

const csp = (policy: string): Record<string, string> => ({ 'Content-Security-Policy': policy });
const works = { status: 'completed', value: '42' };
const missing = { status: 404, type: 'text/plain', body: 'no' };

/** Pages of that browser for the tests of one `describe`. */
export function usePages(engine: BrowserEngine): Pages['run'] {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages(engine);
  }, 60_000);
  afterAll(() => pages[Symbol.asyncDispose]());
  return (options) => pages.run(options);
}

/** What engines may differ in: policies, Trusted Types, errors of a start, the realm of a worker. */
export function describeStart(run: Pages['run']): void {
  describe('a program runs', () => {
    test('under the strictest policy, with the worker closed off by its own', async () => {
      const page = csp("default-src 'none'; script-src 'self'; connect-src 'self'");
      expect(await run({ page, worker: { headers: csp(WORKER_CSP) } })).toMatchObject(works);
    });

    test.each([
      ['is missing', { worker: missing }],
      ['is a page that calls itself a script', { worker: { body: '<!doctype html><p>not here' } }],
      ['is on another origin', { executor: { workerUrl: '$OTHER/worker.js' } }],
    ])('from a Blob when the worker file %s', async (_what, options) => {
      expect(await run(options)).toMatchObject(works);
    });

    test('with Trusted Types, from the file and from a Blob', async () => {
      const page = csp("require-trusted-types-for 'script'; trusted-types codemode-kit");
      expect(await run({ page })).toMatchObject(works);
      expect(await run({ page, worker: missing })).toMatchObject(works);
    });

    test('on a cross-origin isolated page, where a shared flag cancels', async () => {
      const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
      const script = `
      if (!crossOriginIsolated) return { status: 'not isolated' };
      let survived = 0;
      for (let i = 0; i < 10 && survived === 0; i++) {
        await executor.warmUp(16 * 2 ** 20);
        const aborting = new AbortController();
        setTimeout(() => aborting.abort(), 50);
        const reply = await executor.execute(aRequest('for (;;) {}'), aHost(), aborting.signal);
        if (reply.error?.code !== 'cancelled') return reply;
        survived += executor.load.idle;
        executor.endSession('session');
      }
      return { status: survived > 0 ? 'survived' : 'always terminated' };`;
      // Without the flag a loop hears nothing, and its worker is ended every single time; a loaded machine ends some.
      expect(await run({ page: isolated, worker: { headers: isolated }, run: script })).toEqual({ status: 'survived' });
    });
  });

  describe('a start that cannot work is an error that says what to do', () => {
    test('a policy that forbids workers', async () => {
      const result = await run({ page: csp("script-src 'self'; worker-src 'none'") });
      expect(result.error).toMatchObject({
        code: 'environment_unsupported',
        message: expect.stringContaining("worker-src 'self'"),
      });
    });

    test('a policy of the worker file that forbids WebAssembly', async () => {
      const result = await run({ worker: { headers: csp("default-src 'none'; script-src 'self'") } });
      expect(result.error).toMatchObject({
        code: 'environment_unsupported',
        message: expect.stringContaining("'wasm-unsafe-eval'"),
      });
    });

    test('Trusted Types without the policy', async () => {
      const result = await run({ page: csp("require-trusted-types-for 'script'; trusted-types other") });
      expect(result.error).toMatchObject({
        code: 'environment_unsupported',
        message: expect.stringContaining('trusted-types codemode-kit'),
      });
    });
  });

  test('inside a worker whose file carries the policy nothing is left but what is listed, and every way out is refused', async () => {
    const worker = { body: readFileSync(workerUrl, 'utf8') + PROBE, headers: csp(WORKER_CSP) };
    const script = `
    await executor.warmUp(16 * 2 ** 20);
    const [port] = globalThis.workers;
    return new Promise((resolve) => {
      port.addEventListener('message', ({ data }) => data.survey && resolve({ status: JSON.stringify(data.survey) }));
      port.postMessage({ probe: true });
    });`;
    const before =
      'globalThis.workers = []; globalThis.Worker = class extends Worker { constructor(...a) { super(...a); workers.push(this); } };';
    const { status } = await run({ worker, before, run: script });
    const survey = JSON.parse(status) as RealmSurvey;
    expect(survey.globals).toContain('Promise');
    expect(unknownGlobals(survey, new Set([...KEPT_GLOBALS, ...HARMLESS_CONSTANTS]))).toEqual([]);
    expect(unknownGlobals({ ...survey, globals: [...survey.globals, 'fetch'] }, KEPT_GLOBALS)).toContain('fetch');
    expect(survey.navigator).toEqual([]);
    expect(Object.keys(survey.attempts).length).toBeGreaterThan(25);
    expect(survey.attempts['import of data']).toMatch(/^refused/);
    expect(survey.attempts['import of a module']).toMatch(/^refused/);
    expect(openWays(survey)).toEqual([]);
  });
}

/** What our own code decides, the same in every engine. */
export function describeOwnDecisions(run: Pages['run']): void {
  test('from a Blob when the worker file is answered by a page', async () => {
    const page = { type: 'text/html', body: '<!doctype html><p>not here' };
    expect(await run({ worker: page })).toMatchObject(works);
  });

  test('no Worker at all', async () => {
    const result = await run({ before: 'delete globalThis.Worker' });
    expect(result.error).toMatchObject({ code: 'environment_unsupported', message: expect.stringContaining('no `Worker`') });
  });

  test('a missing file without the fallback', async () => {
    const result = await run({ worker: missing, executor: { blobFallback: false } });
    expect(result.error).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('workerUrl') });
  });

  test('a server that never answers, within the time given', async () => {
    const start = performance.now();
    const result = await run({ worker: { hang: true }, executor: { initTimeoutMs: 700 } });
    expect(result.error).toMatchObject({
      code: 'executor_unavailable',
      message: expect.stringContaining('said nothing within 700 ms'),
    });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('warming up says the same', async () => {
    const script = `return executor.warmUp(16 * 2 ** 20).then(() => ({ status: 'warm' }), ({ code, message, name }) => ({ status: name, error: { code, message } }))`;
    const result = await run({ page: csp("script-src 'self'; worker-src 'none'"), run: script });
    expect(result).toMatchObject({ status: 'EnvironmentError', error: { code: 'environment_unsupported' } });
  });
}
