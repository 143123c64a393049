/** Starting one worker on a page: the file, else a Blob of its text, each up to its greeting; and why it failed. */
import { EnvironmentError } from '../errors.ts';
import type { Greeting } from '../protocol/control.ts';
import { watchPolicy } from './policy-violations.ts';
import { trustedScriptUrl } from './trusted-url.ts';
import { webWorkerPort } from './web-worker-port.ts';
import type { WorkerPort } from './worker-port.ts';

export interface WebWorkerSources {
  /** Address of the worker file. */
  readonly url: () => string | URL;
  /** Makes the worker instead. */
  readonly createWorker?: (() => Worker) | undefined;
  /** Text for the Blob; absent: no fallback. */
  readonly text?: (() => Promise<string>) | undefined;
}

const UP: Greeting = 'codemode:up';

type Attempt = { readonly port: WorkerPort } | { readonly why: string };

/** A starter that remembers which way works on this page. */
export interface WebWorkerStarter {
  /** @throws EnvironmentError */
  start(timeoutMs: number): Promise<WorkerPort>;
  dispose(): void;
}

export function createWebWorkerStarter(sources: WebWorkerSources): WebWorkerStarter {
  /** Kept while workers may start from it; revoked at the end. */
  let blobUrl: string | undefined;

  async function fromFile(timeoutMs: number): Promise<Attempt> {
    return attempt(() => sources.createWorker?.() ?? openWorker(sources.url()), timeoutMs);
  }

  async function fromBlob(text: () => Promise<string>, timeoutMs: number): Promise<Attempt> {
    try {
      blobUrl ??= URL.createObjectURL(new Blob([await text()], { type: 'text/javascript' }));
    } catch (error) {
      return { why: `its text could not be loaded: ${messageOf(error)}` };
    }
    const url = blobUrl;
    return attempt(() => openWorker(url), timeoutMs);
  }

  return {
    async start(timeoutMs) {
      if (typeof Worker !== 'function' && !sources.createWorker) throw noWorkers();
      const until = performance.now() + timeoutMs;
      const policy = watchPolicy();
      try {
        const file = blobUrl === undefined ? await fromFile(timeoutMs) : { why: 'an earlier attempt failed' };
        if ('port' in file) return file.port;
        const left = until - performance.now();
        const { text } = sources;
        if (text === undefined || sources.createWorker || left <= 0) throw unreachable(file.why, undefined, policy.blocked());
        const blob = await fromBlob(text, left);
        if ('port' in blob) return blob.port;
        throw unreachable(file.why, blob.why, policy.blocked());
      } finally {
        policy.stop();
      }
    },
    dispose() {
      if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl);
      blobUrl = undefined;
    },
  };
}

function openWorker(url: string | URL): Worker {
  const address = trustedScriptUrl(String(url));
  return new Worker(address, { type: 'module', name: 'codemode' });
}

/** Resolves with the greeted worker or the reason; a missing file shows as an event, a foreign origin as an exception. */
function attempt(open: () => Worker, timeoutMs: number): Promise<Attempt> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = open();
    } catch (error) {
      return resolve({ why: messageOf(error) });
    }
    const done = (result: Attempt): void => {
      clearTimeout(timer);
      worker.removeEventListener('message', onMessage);
      worker.removeEventListener('error', onError);
      if ('why' in result) worker.terminate();
      resolve(result);
    };
    const onMessage = (event: MessageEvent<unknown>): void => {
      if (event.data === UP) done({ port: webWorkerPort(worker) });
    };
    const onError = (event: Event): void => {
      // Whoever asked gets the reason; the console stays quiet.
      event.preventDefault();
      const { message } = event as ErrorEvent;
      done({
        why: message
          ? `it failed while it started (${message})`
          : 'its file could not be loaded (missing, wrong type, or refused)',
      });
    };
    const timer = setTimeout(() => done({ why: `it said nothing within ${Math.round(timeoutMs)} ms` }), timeoutMs);
    worker.addEventListener('message', onMessage);
    worker.addEventListener('error', onError);
  });
}

function noWorkers(): EnvironmentError {
  return new EnvironmentError(
    'environment_unsupported',
    'Programs run in a web worker, and this environment has no `Worker`. In Node pass `executor: createNodeExecutor()` from react-code-mode/node; on a server render only.',
    { missing: 'Worker' },
  );
}

function unreachable(file: string, blob: string | undefined, blocked: readonly string[]): EnvironmentError {
  const tried = `The worker file: ${file}.${blob === undefined ? '' : ` The fallback from a Blob: ${blob}.`}`;
  const data = { file, ...(blob === undefined ? {} : { blob }), blocked };
  if (blocked.includes('require-trusted-types-for') || /TrustedScriptURL/.test(file + (blob ?? ''))) {
    return new EnvironmentError(
      'environment_unsupported',
      `The page requires Trusted Types and does not allow the policy that starts the worker. Add \`trusted-types codemode-kit\` to its Content Security Policy. ${tried}`,
      data,
    );
  }
  if (blocked.length > 0) {
    return new EnvironmentError(
      'environment_unsupported',
      `The page's Content Security Policy forbids the worker (${blocked.join(', ')}). Allow it with \`worker-src 'self'\`, and \`worker-src 'self' blob:\` where the file is on another origin. ${tried}`,
      data,
    );
  }
  return new EnvironmentError(
    'executor_unavailable',
    `No worker could be started, so no program can run. ${tried} Serve worker.js of the package as JavaScript from the page's origin, or name its address with \`workerUrl\`.`,
    data,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
