/** So long a busy page puts it off. Milliseconds. */
const AT_LATEST_MS = 2_000;
/** Where no host says when it is idle: after what an opening page does first. Milliseconds. */
const GUESS_MS = 200;

/** Calls back once the page has nothing better to do. */
export function whenIdle(callback: () => void): void {
  const { requestIdleCallback: request } = globalThis as { requestIdleCallback?: typeof requestIdleCallback };
  if (request) request(callback, { timeout: AT_LATEST_MS });
  else setTimeout(callback, GUESS_MS);
}
