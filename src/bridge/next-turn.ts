/** Turns of the event loop, as soon as the platform gives one. */

let channel: MessageChannel | undefined;
const callbacks: (() => void)[] = [];

/**
 * Calls back in a later turn of the event loop, in the order of asking, without the 4 ms that browsers hold nested timers back.
 * A page opens one channel for it with the first use and keeps it: a new one each time would cost more than what waits for it.
 */
export function nextTurn(callback: () => void): void {
  const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => void };
  if (immediate) return immediate(callback);
  if (channel === undefined) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => callbacks.shift()?.();
  }
  callbacks.push(callback);
  channel.port2.postMessage(null);
}
