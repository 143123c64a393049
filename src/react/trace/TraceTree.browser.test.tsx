/** What only a browser with a layout can tell of the windowed tree: what is in sight, what has the focus, what stays in place. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import '../styles.css';
import { MAX_ITEMS } from './blocks.ts';
import { defaultLabels } from '../labels.ts';
import { TracePanel, traceView } from './TracePanel.tsx';

const ROW = 28;
const LINES = 3_000;
const SLOW = { timeout: 4_000 };

let kit: TestKit;
let run: string;
let written = 0;

beforeEach(async () => {
  await traceView.load();
  kit = createTestKit();
  run = kit.run('x', { title: 'Long' });
  written = 0;
  write(LINES);
});
afterEach(cleanup);

function write(count: number): void {
  kit.batch(() => {
    for (let at = 0; at < count; at += 1) kit.log(run, `line ${(written += 1)}`, 'log', written);
  });
}

/** How often a row was rendered, by the line it is about: each rendering says it in its name and at its end. */
const saidLines = new Map<number, number>();
const labels = {
  line(line: number): string {
    saidLines.set(line, (saidLines.get(line) ?? 0) + 1);
    return defaultLabels.line(line);
  },
};
const rendered = (): number[] => [...saidLines.keys()].sort((a, b) => a - b);

async function mount(): Promise<void> {
  await render(
    <div style={{ blockSize: 500, inlineSize: 800 }}>
      <TracePanel session={kit.session} program={false} labels={labels} />
    </div>,
  );
  await expect.poll(() => tree().scrollTop, SLOW).toBe(tree().scrollHeight - tree().clientHeight);
}

const tree = (): HTMLElement => document.querySelector<HTMLElement>('[role="tree"]')!;
const rows = (): HTMLElement[] => [...tree().querySelectorAll<HTMLElement>('[role="treeitem"]')];
const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
const focused = (): HTMLElement => document.activeElement as HTMLElement;
const indexOf = (row: Element): number => Number(row.getAttribute('data-index'));
const said = (row: Element): string => row.getAttribute('aria-label')!;

/** Rows whose whole height is in sight, top to bottom. */
function inSight(): HTMLElement[] {
  const { top, bottom } = tree().getBoundingClientRect();
  return rows().filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= top - 1 && box.bottom <= bottom + 1;
  });
}

/** No gap where rows should be: each place in sight has its row. */
function isFilled(): boolean {
  const shown = inSight();
  const first = Math.ceil(tree().scrollTop / ROW);
  const count = Math.floor((tree().scrollTop + tree().clientHeight) / ROW) - first;
  return shown.length >= count && shown.every((row, at) => indexOf(row) === indexOf(shown[0]!) + at);
}

async function scrollTo(top: number): Promise<void> {
  tree().scrollTop = top;
  await frame();
  await frame();
}

describe('the window', () => {
  it('has the rows in sight and few more, wherever one scrolls', async () => {
    await mount();
    for (const top of [0, 12_345, 40_000, 7, tree().scrollHeight]) {
      await scrollTo(top);
      expect(isFilled(), `at ${top}`).toBe(true);
      expect(rows().length).toBeLessThan(60);
    }
  });

  it('follows a panel that becomes higher', async () => {
    await mount();
    await scrollTo(20_000);
    tree().closest<HTMLElement>('.cm-root')!.parentElement!.style.blockSize = '900px';
    await expect.poll(() => inSight().length, SLOW).toBeGreaterThan(25);
    expect(isFilled()).toBe(true);
  });

  it('shows the end of what a filter leaves, when one stood below it', async () => {
    await mount();
    const search = document.querySelector<HTMLInputElement>('.cm-search input')!;
    await userEvent.fill(search, 'line 12');
    await expect.poll(() => rows().length > 0 && rows().every((row) => /Long|line 12/.test(said(row))), SLOW).toBe(true);
    await expect.poll(isFilled, SLOW).toBe(true);
  });

  it('tells level, position and size of the whole set', async () => {
    await mount();
    await scrollTo(1_000 * ROW);
    for (const row of inSight()) {
      expect(row.getAttribute('aria-level')).toBe('2');
      expect(row.getAttribute('aria-posinset')).toBe(String(indexOf(row)));
      expect(row.getAttribute('aria-setsize')).toBe(String(LINES));
    }
    write(5);
    await expect
      .poll(() => inSight().map((row) => row.getAttribute('aria-setsize')), SLOW)
      .toEqual(inSight().map(() => String(LINES + 5)));
  });
});

describe('the keyboard', () => {
  const press = async (keys: string): Promise<void> => {
    await userEvent.keyboard(keys);
    expect(tree().contains(focused())).toBe(true);
    await expect.poll(() => inSight().includes(focused()), SLOW).toBe(true);
  };

  it('goes by row, by page and to both ends; what has the focus is in sight', async () => {
    await mount();
    inSight().at(-1)!.focus();
    await press('{Home}');
    expect(indexOf(focused())).toBe(0);
    await press('{ArrowDown}{ArrowDown}');
    expect(indexOf(focused())).toBe(2);
    await press('{PageDown}{PageDown}{PageDown}');
    expect(indexOf(focused())).toBe(32);
    expect(focused().getAttribute('aria-posinset')).toBe('32');
    await press('{PageUp}{ArrowUp}');
    expect(indexOf(focused())).toBe(21);
    await press('{End}');
    expect(indexOf(focused())).toBe(LINES);
    await press('{ArrowDown}');
    expect(indexOf(focused())).toBe(LINES);
    await press('{PageUp}');
    expect(indexOf(focused())).toBe(LINES - 10);
    await press('{ArrowLeft}');
    expect(indexOf(focused())).toBe(0);
    await press('{ArrowLeft}');
    expect(rows()).toHaveLength(1);
    await press('{ArrowRight}');
    expect(rows().length).toBeGreaterThan(10);
    expect(rows().filter((row) => row.tabIndex === 0)).toEqual([focused()]);
  });

  it('keeps the focus when its row is scrolled out of sight, and goes on from there', async () => {
    await mount();
    await scrollTo(0);
    inSight()[3]!.focus();
    const name = said(focused());
    await scrollTo(2_000 * ROW);
    write(20);
    await frame();
    expect(said(focused())).toBe(name);
    expect(inSight()).not.toContain(focused());
    await press('{ArrowDown}');
    expect(indexOf(focused())).toBe(4);
  });

  it('keeps the focus in the tree when its row folds into another', async () => {
    await mount();
    const call = (): string => {
      const id = kit.request(run, 'get', {});
      kit.start(id);
      return id;
    };
    const calls = [call(), call(), call(), call()];
    await expect.poll(() => rows().filter((row) => said(row).startsWith('get')).length, SLOW).toBe(4);
    rows().at(-2)!.focus();
    for (const id of calls) kit.succeed(id, 1);
    await expect.poll(() => said(focused()), SLOW).toContain('get × 4');
    expect(focused().tabIndex).toBe(0);
    await press('{ArrowUp}');
    expect(said(focused())).toContain('line');
  });
});

describe('a trace that grows', () => {
  it('follows its end for who looks at it', async () => {
    await mount();
    for (let at = 0; at < 5; at += 1) {
      write(30);
      await frame();
    }
    await expect.poll(() => said(inSight().at(-1)!), SLOW).toContain(`line ${LINES + 150}`);
    expect(isFilled()).toBe(true);
  });

  it('leaves in place what one reads, also when the oldest rows give way', async () => {
    await mount();
    await scrollTo(2_000 * ROW);
    const reading = said(inSight()[0]!);
    write(200);
    await frame();
    expect(said(inSight()[0]!)).toBe(reading);
    write(MAX_ITEMS - LINES);
    await expect.poll(() => kit.session.store.getState().runs[run]!.items.length, SLOW).toBe(MAX_ITEMS + 200);
    await frame();
    await frame();
    expect(said(inSight()[0]!)).toBe(reading);
    expect(isFilled()).toBe(true);
  });
});

describe('what a change renders', () => {
  const counted = async (change: () => void): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    saidLines.clear();
    change();
    await frame();
    await frame();
  };
  const once = (): void => expect([...saidLines.values()].filter((times) => times !== 2)).toEqual([]);

  it('is, of lines at the end, these alone', async () => {
    await mount();
    await counted(() => write(4));
    await expect.poll(() => said(inSight().at(-1)!), SLOW).toContain(`line ${LINES + 4}`);
    expect(rendered().filter((line) => line <= LINES).length).toBeLessThan(8);
    expect(rendered().slice(-4)).toEqual([1, 2, 3, 4].map((at) => LINES + at));
    once();
  });

  it('is each row one jumps to once, in the elements of those one left', async () => {
    await mount();
    const before = new Set(rows());
    await counted(() => (tree().scrollTop = 1_000 * ROW));
    await expect.poll(isFilled, SLOW).toBe(true);
    once();
    expect(inSight().filter((row) => !before.has(row))).toEqual([]);
    expect(inSight().map(said)).toEqual(inSight().map((row) => expect.stringContaining(`line ${indexOf(row)}`)));
    // At rest there are some more around.
    await expect.poll(() => indexOf(rows()[1]!), SLOW).toBeLessThan(1_000);
    once();
  });

  it('is none of the rows one reads when the oldest give way', async () => {
    write(MAX_ITEMS - LINES);
    await mount();
    await scrollTo(5_000 * ROW);
    const reading = inSight();
    const names = reading.map(said);
    await counted(() => write(1));
    await expect.poll(() => tree().textContent, SLOW).toContain('line 5');
    await expect.poll(() => reading.map((row) => indexOf(row))[0], SLOW).toBeLessThan(5_000);
    expect(inSight()).toEqual(reading);
    expect(reading.map(said)).toEqual(names);
    // Others may come to those around.
    expect(rendered().filter((line) => names.some((name) => name.includes(`line ${line},`)))).toEqual([]);
  });

  it('is the rows of a moment once', async () => {
    await mount();
    document.querySelector<HTMLElement>('[data-action="time-travel"]')!.click();
    await expect.poll(() => document.querySelector('.cm-time-slider'), SLOW).not.toBeNull();
    const slider = document.querySelector<HTMLInputElement>('.cm-time-slider')!;
    await counted(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(slider, '1500');
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expect.poll(() => tree().querySelector('[data-moment]'), SLOW).not.toBeNull();
    expect(inSight().map(said)).toContain(said(tree().querySelector('[data-moment]')!));
    expect(isFilled()).toBe(true);
    once();
    // Not those where one stood as well.
    expect(rendered().length).toBeLessThan(40);
  });

  it('passes the focus to no other row', async () => {
    await mount();
    const row = inSight()[3]!;
    row.focus();
    const name = said(row);
    await counted(() => (tree().scrollTop = 500 * ROW));
    expect(focused()).toBe(row);
    expect(said(row)).toBe(name);
    expect(rows().filter((each) => each.tabIndex === 0)).toEqual([row]);
  });
});
