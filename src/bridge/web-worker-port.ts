import type { WorkerPort } from './worker-port.ts';

/** A `Worker` of the page as the pool knows it. */
export function webWorkerPort(worker: Worker): WorkerPort {
  return {
    post(message, transfer = []) {
      worker.postMessage(message, [...transfer]);
    },
    onMessage(listener) {
      worker.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data));
    },
    onFault(listener) {
      worker.addEventListener(
        'error',
        (event) => {
          event.preventDefault();
          listener({
            code: 'executor_crashed',
            message: `The worker failed outside of the program (${event.message || 'no reason given'}). The next run gets a new worker.`,
          });
        },
        { once: true },
      );
      worker.addEventListener(
        'messageerror',
        () =>
          listener({
            code: 'executor_crashed',
            message: 'A message of the worker could not be read. The next run gets a new worker.',
          }),
        { once: true },
      );
    },
    terminate() {
      worker.terminate();
    },
    ref() {},
    unref() {},
  };
}
