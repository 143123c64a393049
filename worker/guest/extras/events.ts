/** `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException`: what programs use to stop their own work. */
export default function create(): Record<string, unknown> {
  return { AbortController, AbortSignal, Event, EventTarget, CustomEvent, DOMException };
}

class DOMException extends Error {
  override readonly name: string;
  readonly code: number = 0;
  constructor(message = '', name = 'Error') {
    super(message);
    this.name = name;
  }
}

interface EventInit {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly detail?: unknown;
}

class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly timeStamp: number = Date.now();
  target: EventTarget | null = null;
  currentTarget: EventTarget | null = null;
  defaultPrevented = false;
  stopped = false;

  constructor(type: unknown, init: EventInit = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init.bubbles);
    this.cancelable = Boolean(init.cancelable);
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.stopped = true;
  }
}

class CustomEvent extends Event {
  readonly detail: unknown;
  constructor(type: unknown, init: EventInit = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };
interface Registered {
  readonly type: string;
  readonly listener: Listener;
  readonly once: boolean;
}

class EventTarget {
  #listeners: Registered[] = [];

  addEventListener(type: string, listener: Listener | null, options?: boolean | { once?: boolean; signal?: AbortSignal }): void {
    if (!listener || this.#listeners.some((known) => known.type === type && known.listener === listener)) return;
    const { once = false, signal } = typeof options === 'object' ? options : ({} as { once?: boolean; signal?: AbortSignal });
    if (signal?.aborted) return;
    this.#listeners.push({ type, listener, once });
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    this.#listeners = this.#listeners.filter((known) => known.type !== type || known.listener !== listener);
  }

  dispatchEvent(event: Event): boolean {
    event.target = event.currentTarget = this;
    const handler = (this as unknown as Record<string, unknown>)[`on${event.type}`];
    if (typeof handler === 'function') run(handler as (event: Event) => unknown, this, event);
    for (const { type, listener, once } of [...this.#listeners]) {
      if (type !== event.type || event.stopped) continue;
      if (once) this.removeEventListener(type, listener);
      run(typeof listener === 'function' ? listener : (e) => listener.handleEvent(e), this, event);
    }
    return !event.defaultPrevented;
  }
}

/** As in browsers a listener's exception does not reach who dispatched; here it is shown. */
function run(listener: (event: Event) => unknown, self: EventTarget, event: Event): void {
  try {
    listener.call(self, event);
  } catch (error) {
    (globalThis as unknown as { console: { error(...args: unknown[]): void } }).console.error('An event listener threw', error);
  }
}

const SECRET = {};

class AbortSignal extends EventTarget {
  onabort: ((event: Event) => unknown) | null = null;
  #reason: unknown;
  #aborted = false;

  constructor(secret?: unknown) {
    super();
    if (secret !== SECRET) throw new TypeError('AbortSignal cannot be constructed; use new AbortController().signal');
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static fire(signal: AbortSignal, reason: unknown, secret: unknown): void {
    if (secret !== SECRET || signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason === undefined ? new DOMException('The operation was aborted.', 'AbortError') : reason;
    signal.dispatchEvent(new Event('abort'));
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(SECRET);
    AbortSignal.fire(signal, reason, SECRET);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal(SECRET);
    const { setTimeout } = globalThis as unknown as { setTimeout(callback: () => void, ms: number): void };
    setTimeout(() => AbortSignal.fire(signal, new DOMException('The operation timed out.', 'TimeoutError'), SECRET), ms);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const combined = new AbortSignal(SECRET);
    for (const signal of signals) {
      if (signal.aborted) AbortSignal.fire(combined, signal.reason, SECRET);
      else signal.addEventListener('abort', () => AbortSignal.fire(combined, signal.reason, SECRET), { once: true });
    }
    return combined;
  }
}

class AbortController {
  readonly signal: AbortSignal = new AbortSignal(SECRET);

  abort(reason?: unknown): void {
    AbortSignal.fire(this.signal, reason, SECRET);
  }
}
