/** Scrolls, filters and steps through a trace of ten thousand rows while events arrive; the browser says which frames were long. */
import { createRoot } from 'react-dom/client';
import { TracePanel } from 'react-code-mode';
import 'react-code-mode/styles.css';
import { createFeed } from './journal.ts';

const ROWS = 10_000;
const EVENTS_PER_SECOND = 500;
const TICK_MS = 20;
const PHASE_MS = 3_000;

/** Long frames of one part, as the browser's own long-animation-frame entries have them. */
export interface Phase {
  readonly name: string;
  /** Frames of more than 50 ms. */
  readonly long: number;
  /** The longest of them, ms; 0: none. */
  readonly longest: number;
  /** The most that scripts took of one of them, ms; 0: none. */
  readonly scripts: number;
  readonly frames: number;
}

declare global {
  interface Window {
    traceBench: Promise<readonly Phase[]>;
  }
}

interface LongFrame extends PerformanceEntry {
  readonly scripts: readonly { readonly duration: number }[];
}

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const find = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`the panel has no ${selector}`);
  return found;
};

/** Sets a field as typing does: React hears of it. */
function enter(field: HTMLInputElement | HTMLSelectElement, value: string): void {
  const prototype = field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

async function measured(name: string, act: () => Promise<void>): Promise<Phase> {
  const seen: LongFrame[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as LongFrame[])));
  observer.observe({ type: 'long-animation-frame' });
  let frames = 0;
  let counting = true;
  const count = (): void => {
    frames += 1;
    if (counting) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  performance.mark(`bench ${name}`);
  await act();
  performance.mark('bench end');
  counting = false;
  await pause(200);
  seen.push(...(observer.takeRecords() as LongFrame[]));
  observer.disconnect();
  const scriptsOf = ({ scripts }: LongFrame): number => scripts.reduce((sum, { duration }) => sum + duration, 0);
  return {
    name,
    long: seen.length,
    longest: Math.max(0, ...seen.map(({ duration }) => duration)),
    scripts: Math.max(0, ...seen.map(scriptsOf)),
    frames,
  };
}

async function scroll(): Promise<void> {
  const tree = find<HTMLElement>('.cm-tree');
  const end = performance.now() + PHASE_MS;
  for (let at = 0; performance.now() < end; at += 1) {
    tree.scrollTop = (at * 370) % Math.max(1, tree.scrollHeight - tree.clientHeight);
    await frame();
  }
}

async function filter(): Promise<void> {
  const search = find<HTMLInputElement>('.cm-search input');
  const [status, tool] = [...document.querySelectorAll<HTMLSelectElement>('.cm-toolbar select')] as [
    HTMLSelectElement,
    HTMLSelectElement,
  ];
  for (const word of ['order 77', 'late', 'nowhere'])
    for (let at = 1; at <= word.length; at += 1) {
      enter(search, word.slice(0, at));
      await pause(60);
    }
  enter(search, '');
  for (const value of ['failed', 'succeeded', 'all']) {
    enter(status, value);
    await pause(200);
  }
  for (const value of ['mail.send', '']) {
    enter(tool, value);
    await pause(200);
  }
}

async function travel(): Promise<void> {
  find<HTMLElement>('[data-action="time-travel"]').click();
  await pause(100);
  const slider = find<HTMLInputElement>('.cm-time-slider');
  const end = performance.now() + PHASE_MS;
  for (let at = 0; performance.now() < end; at += 1) {
    enter(slider, String(1 + ((at * 631) % Number(slider.max))));
    await frame();
  }
  find<HTMLElement>('[data-action="time-travel"]').click();
}

async function play(): Promise<readonly Phase[]> {
  const feed = createFeed();
  while (feed.rows < ROWS) feed.add(4);
  createRoot(find('#panel')).render(<TracePanel session={feed.session} />);
  while (!document.querySelector('.cm-row')) await frame();
  await pause(500);
  const perTick = (EVENTS_PER_SECOND * TICK_MS) / 1_000;
  const timer = setInterval(() => feed.add(perTick), TICK_MS);
  const phases = [
    await measured('append, the end in sight', async () => pause(PHASE_MS)),
    await measured('append and scroll', scroll),
    await measured('append and filter', filter),
    await measured('append and step through time', travel),
  ];
  clearInterval(timer);
  return phases;
}

window.traceBench = play();
