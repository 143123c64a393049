import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '../errors.ts';
import type { Greeting } from '../protocol/control.ts';
import { type NodeBoot, readBoot } from './node-worker-boot.ts';
import type { WorkerFault, WorkerPort } from './worker-port.ts';

const UP: Greeting = 'codemode:up';
/** Deep recursion of a program needs stack of the thread; with this the engine's own limit of 256 KiB is reached first. */
const STACK_MB = 16;

/** Starts one worker thread. @param code compiled code of the file, as an earlier thread gave it out */
export type NodeStarter = (timeoutMs: number, code?: Uint8Array) => Promise<WorkerPort>;

/** A starter that reads the worker's file once. */
export function createNodeStarter(url: string | URL): NodeStarter {
  let boot: NodeBoot | undefined;
  return async (timeoutMs, code) => {
    try {
      boot ??= readBoot(pathOf(url));
    } catch (error) {
      throw unavailable(url, error instanceof Error ? error.message : String(error));
    }
    return startNodeWorker(url, boot, timeoutMs, code);
  };
}

/** A thread that sees nothing of this process: no environment, no arguments, no output of its own. */
function startNodeWorker(
  url: string | URL,
  { main, evaluated, data }: NodeBoot,
  timeoutMs: number,
  code: Uint8Array | undefined,
): Promise<WorkerPort> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(main, {
      eval: evaluated,
      workerData: data && { ...data, code },
      env: {},
      argv: [],
      execArgv: [],
      // Kept from this process's own output and never read: a reader would keep the process alive.
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const fail = (why: string): void => {
      settle();
      void worker.terminate();
      reject(unavailable(url, why));
    };
    const onMessage = (message: unknown): void => {
      if (message !== UP) return;
      settle();
      resolve(nodeWorkerPort(worker));
    };
    const onError = (error: Error): void => fail(error.message);
    const onExit = (code: number): void => fail(`it ended at once with exit code ${code}`);
    const timer = setTimeout(() => fail(`it said nothing within ${Math.round(timeoutMs)} ms`), timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function unavailable(url: string | URL, why: string): EnvironmentError {
  return new EnvironmentError(
    'executor_unavailable',
    `No worker thread could be started, so no program can run: ${why}. Check that worker.js of the package is where \`workerUrl\` says.`,
    { file: String(url), why },
  );
}

/** A worker thread as the pool knows it. */
function nodeWorkerPort(worker: Worker): WorkerPort {
  let onFault: ((fault: WorkerFault) => void) | undefined;
  const fault = (why: string): void => {
    onFault?.({
      code: 'executor_crashed',
      message: `The worker failed outside of the program (${why}). The next run gets a new worker.`,
    });
    onFault = undefined;
  };
  worker.on('error', (error) => fault(error.message));
  worker.on('messageerror', () => fault('a message could not be read'));
  worker.on('exit', (code) => fault(`exit code ${code}`));
  return {
    post(message, transfer = []) {
      worker.postMessage(message, transfer as never);
    },
    onMessage(listener) {
      worker.on('message', listener);
    },
    onFault(listener) {
      onFault = listener;
    },
    terminate() {
      onFault = undefined;
      void worker.terminate();
    },
    ref() {
      worker.ref();
    },
    unref() {
      worker.unref();
    },
  };
}

/** A path, because another realm's `URL` (that of a test environment) is none to `Worker`. */
function pathOf(url: string | URL): string {
  const address = String(url);
  return address.startsWith('file:') ? fileURLToPath(address) : address;
}
