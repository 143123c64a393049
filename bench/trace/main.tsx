/** Scrolls, filters and steps through a trace of ten thousand rows while events arrive; the browser says which frames were long. */
import { createRoot } from 'react-dom/client';
import { TracePanel } from 'react-code-mode';
import 'react-code-mode/styles.css';
import { createFeed, type Feed } from './journal.ts';

const ROWS = 10_000;
const EVENTS_PER_SECOND = 500;
const TICK_MS = 20;
const PHASE_MS = 3_000;

/** A frame of more than 50 ms, as the browser's own long-animation-frame entries have it. */
export interface LongFrame {
  /** Ms since the part began. */
  readonly start: number;
  readonly duration: number;
  /** What scripts took of it, by the clock of the wall. */
  readonly scripts: number;
}

export interface Phase {
  readonly name: string;
  readonly frames: number;
  readonly long: readonly LongFrame[];
  /** Events that arrived, per second. */
  readonly rate: number;
}

declare global {
  interface Window {
    traceBench: Promise<readonly Phase[]>;
  }
}

interface LongFrameEntry extends PerformanceEntry {
  readonly scripts: readonly { readonly duration: number }[];
}

/** Browsers tell of moves of a pointer once a frame, before it is drawn: so does whoever waits for this. */
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

async function measured(name: string, feed: Feed, act: () => Promise<void>): Promise<Phase> {
  const seen: LongFrameEntry[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as LongFrameEntry[])));
  observer.observe({ type: 'long-animation-frame' });
  let frames = 0;
  let counting = true;
  const count = (): void => {
    frames += 1;
    if (counting) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const before = feed.events;
  const { startTime } = performance.mark(`bench ${name}`);
  await act();
  const end = performance.mark('bench end');
  counting = false;
  const rate = ((feed.events - before) * 1_000) / (end.startTime - startTime);
  await pause(200);
  seen.push(...(observer.takeRecords() as LongFrameEntry[]));
  observer.disconnect();
  // What is told late belongs to the part before.
  const own = seen.filter((entry) => entry.startTime >= startTime && entry.startTime < end.startTime);
  const long = own.map((entry) => ({
    start: entry.startTime - startTime,
    duration: entry.duration,
    scripts: entry.scripts.reduce((sum, { duration }) => sum + duration, 0),
  }));
  return { name, frames, long, rate };
}

async function scroll(): Promise<void> {
  const tree = find<HTMLElement>('.cm-tree');
  const end = performance.now() + PHASE_MS;
  for (let at = 0; performance.now() < end; at += 1) {
    await frame();
    tree.scrollTop = (at * 370) % Math.max(1, tree.scrollHeight - tree.clientHeight);
  }
}

async function timeline(): Promise<void> {
  const [tree, line] = [...document.querySelectorAll<HTMLElement>('.cm-segmented button')] as [HTMLElement, HTMLElement];
  line.click();
  await scroll();
  tree.click();
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
    await frame();
    enter(slider, String(1 + ((at * 631) % Number(slider.max))));
  }
  await frame();
  find<HTMLElement>('[data-action="time-travel"]').click();
}

async function play(): Promise<readonly Phase[]> {
  const feed = createFeed();
  while (feed.rows < ROWS) feed.add(4);
  createRoot(find('#panel')).render(<TracePanel session={feed.session} />);
  while (!document.querySelector('.cm-row')) await frame();
  await pause(500);
  // By the time that has passed: a timer that comes late makes up for it, so that all of them arrive.
  const begin = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const total = Math.floor(((performance.now() - begin) * EVENTS_PER_SECOND) / 1_000);
    feed.add(total - due);
    due = total;
  }, TICK_MS);
  const phases = [
    await measured('append, the end in sight', feed, async () => pause(PHASE_MS)),
    await measured('append and scroll', feed, scroll),
    await measured('append and filter', feed, filter),
    await measured('append and scroll the timeline', feed, timeline),
    await measured('append and step through time', feed, travel),
  ];
  clearInterval(timer);
  return phases;
}

window.traceBench = play();
