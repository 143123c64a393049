import { describe, expect, it } from 'vitest';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { defaultLabels } from '../labels.ts';
import { DROP_STEP, MAX_ITEMS } from './blocks.ts';
import { failuresOf, toolsOf } from './failures.ts';
import { linesWithRows, nextFailure, nextOfLine } from './find-rows.ts';
import { NO_FILTER, type RowFilter } from './row-filter.ts';
import type { TraceRow, TraceRows } from './row-list.ts';
import { statusWord } from './row-words.ts';
import { buildRows } from './rows.ts';
import { statusOf } from './status.ts';
import { bytesKeptOut, callSegments, callTimes, computingGaps, runTimes } from './times.ts';
import { callById } from '../../store/calls.ts';

interface Wanted {
  readonly toggled?: string[];
  readonly filter?: Partial<RowFilter>;
}

const rowsOf = (kit: TestKit, wanted: Wanted = {}): TraceRow[] => [...listOf(kit, wanted)];

function listOf(kit: TestKit, options: Wanted = {}): TraceRows {
  const state = kit.session.store.getState();
  return buildRows(state, {
    runIds: state.runOrder,
    toggled: new Set(options.toggled),
    filter: { ...NO_FILTER, ...options.filter },
  });
}

const outline = (rows: readonly TraceRow[]): string[] =>
  rows.map(
    ({ node, level, expandable, expanded }) =>
      `${'  '.repeat(level - 1)}${expandable ? (expanded ? '-' : '+') : ' '} ${node.kind}${node.kind === 'call' ? ` ${node.call.tool}` : ''}`,
  );

function call(kit: TestKit, run: string, tool: string, group?: number): string {
  const id = kit.request(run, tool, { tool }, group === undefined ? {} : { group });
  kit.start(id);
  kit.pass(10);
  kit.succeed(id, 'ok');
  return id;
}

describe('the rows of a run', () => {
  it('keep the order of calls, console lines and emits, and end with error and result', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    call(kit, run, 'a');
    kit.log(run, 'between');
    call(kit, run, 'b');
    kit.emit('output.emitted', { value: { inline: '1' } }, run);
    kit.complete(run, 42);
    expect(outline(rowsOf(kit))).toEqual(['- run', '    call a', '    console', '    call b', '    emit', '    result']);
  });

  it('put calls of one drain into a group', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    call(kit, run, 'a', 1);
    call(kit, run, 'b', 1);
    call(kit, run, 'c', 2);
    expect(outline(rowsOf(kit))).toEqual(['- run', '  - group', '      call a', '      call b', '    call c']);
  });

  it('fold calls of one tool in a row, but never one that waits, runs or failed', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    for (let at = 0; at < 4; at += 1) call(kit, run, 'get');
    kit.fail(kit.request(run, 'get', {}), 'no');
    for (let at = 0; at < 3; at += 1) call(kit, run, 'get');
    kit.start(kit.request(run, 'get', {}));
    const rows = rowsOf(kit);
    expect(outline(rows)).toEqual(['- run', '  + fold', ...Array<string>(5).fill('    call get')]);
    const opened = rowsOf(kit, { toggled: [rows[1]!.node.id] });
    expect(outline(opened).slice(1, 6)).toEqual(['  - fold', ...Array<string>(4).fill('      call get')]);
  });

  it('say position and size of each set, and the parent', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    call(kit, run, 'a', 1);
    call(kit, run, 'b', 1);
    const [top, group, a, b] = rowsOf(kit);
    expect([group, a, b].map((row) => [row!.level, row!.position, row!.setSize])).toEqual([
      [2, 1, 1],
      [3, 1, 2],
      [3, 2, 2],
    ]);
    expect(b!.parent).toBe(group!.node.id);
    expect(group!.parent).toBe(top!.node.id);
  });

  it('count failures up to the run', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    call(kit, run, 'a', 1);
    kit.fail(kit.request(run, 'b', {}, { group: 1 }), 'no');
    const [top, group] = rowsOf(kit);
    expect([top!.failures, group!.failures]).toEqual([1, 1]);
  });

  it('open only the last run and those at work', () => {
    const kit = createTestKit();
    for (const title of ['one', 'two']) {
      const run = kit.run('x', { title });
      call(kit, run, 'a');
      kit.complete(run);
    }
    expect(outline(rowsOf(kit))).toEqual(['+ run', '- run', '    call a']);
  });
});

describe('a filter', () => {
  it('finds by tool, by text of values and lines, and keeps the ancestors', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    call(kit, run, 'orders.list', 1);
    call(kit, run, 'mail.send', 1);
    kit.log(run, 'Three late orders');
    expect(outline(rowsOf(kit, { filter: { text: 'mail' } }))).toEqual(['- run', '  - group', '      call mail.send']);
    expect(outline(rowsOf(kit, { filter: { text: 'late' } }))).toEqual(['- run', '    console']);
    expect(rowsOf(kit, { filter: { text: 'nowhere' } })).toEqual([]);
  });

  it('finds by status, inside of folds too', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    for (let at = 0; at < 5; at += 1) call(kit, run, 'get');
    kit.fail(kit.request(run, 'get', {}), 'no');
    expect(outline(rowsOf(kit, { filter: { status: 'failed' } }))).toEqual(['- run', '    call get']);
    expect(outline(rowsOf(kit, { filter: { status: 'succeeded' } }))).toHaveLength(7);
  });
});

describe('what is wanted', () => {
  function failing(): { kit: TestKit; run: string } {
    const kit = createTestKit();
    const run = kit.run('x');
    for (let at = 0; at < 20; at += 1) {
      const id = kit.request(run, `t${at}`, {}, { group: 1, line: 2 });
      if (at !== 7) kit.start(id);
      if (at === 7) kit.fail(id, 'no');
      else kit.succeed(id, 1);
    }
    kit.failRun(run, 'boom');
    return { kit, run };
  }

  it('is found inside of closed rows: failures say what must be open', () => {
    const { kit, run } = failing();
    kit.complete(kit.run('y'));
    const { runOrder } = kit.session.store.getState();
    const found = failuresOf(kit.session.store.getState(), runOrder);
    expect(found.map(({ id, inside }) => [id, inside.map((node) => node.id)])).toEqual([
      [`call:${run}:8`, [`run:${run}`, `group:${run}:1`]],
      [`error:${run}`, [`run:${run}`]],
    ]);
    expect(nextFailure(found, listOf(kit), undefined)?.id).toBe(`call:${run}:8`);
    expect(nextFailure(found, listOf(kit), `error:${run}`)?.id).toBe(`call:${run}:8`);
  });

  it('is found by the line, one after another; a closed row stands for what is in it', () => {
    const { kit, run } = failing();
    const closed = listOf(kit);
    expect(nextOfLine(closed, run, 2, undefined)).toBe(`group:${run}:1`);
    const open = listOf(kit, { toggled: [`group:${run}:1`] });
    expect([...linesWithRows(open, run)]).toEqual([2]);
    expect(nextOfLine(open, run, 2, `call:${run}:8`)).toBe(`fold:${run}:9`.replace('fold', 'call'));
    expect(nextOfLine(open, run, 2, `call:${run}:20`)).toBe(`call:${run}:1`);
    expect(nextOfLine(open, run, 9, undefined)).toBeUndefined();
  });

  it('is found by tool together with status and text, whatever signs the text has', () => {
    const { kit } = failing();
    const counted = (filter: Partial<RowFilter>): number =>
      rowsOf(kit, { filter }).filter((row) => row.node.kind === 'call').length;
    expect(counted({ tool: 't7' })).toBe(1);
    expect(counted({ tool: 't7', status: 'failed' })).toBe(1);
    expect(counted({ tool: 't7', status: 'succeeded' })).toBe(0);
    expect(counted({ tool: 't7', text: 'NO' })).toBe(1);
    expect(counted({ text: '.*(' })).toBe(0);
    expect(toolsOf(kit.session.store.getState(), kit.session.store.getState().runOrder)).toHaveLength(20);
  });
});

describe('a long run', () => {
  it('gives its oldest rows up for one that counts them, many at a time', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    const write = (from: number, to: number): void =>
      kit.batch(() => {
        for (let at = from; at < to; at += 1) kit.log(run, `line ${at}`);
      });
    write(0, MAX_ITEMS + 250);
    const rows = rowsOf(kit);
    expect(rows).toHaveLength(MAX_ITEMS + 250 - DROP_STEP + 2);
    expect(rows[1]!.node).toMatchObject({ kind: 'dropped', count: DROP_STEP });
    expect(rows[2]!.node).toMatchObject({ item: { text: `line ${DROP_STEP}` } });
    write(MAX_ITEMS + 250, MAX_ITEMS + DROP_STEP);
    expect(rowsOf(kit)[2]!.node).toMatchObject({ item: { text: `line ${DROP_STEP}` } });
    write(MAX_ITEMS + DROP_STEP, MAX_ITEMS + DROP_STEP + 1);
    expect(rowsOf(kit)[2]!.node).toMatchObject({ item: { text: `line ${2 * DROP_STEP}` } });
  });
});

describe('a program put before a person', () => {
  it('has a row of its own that says what became of it', () => {
    const kit = createTestKit();
    kit.plan('x', { tools: [] });
    const plan = (): TraceRow => rowsOf(kit)[1]!;
    expect([plan().node.kind, statusWord(plan().node, defaultLabels), statusOf(plan().node)]).toEqual([
      'plan',
      'waiting for you',
      'waiting_approval',
    ]);
    void kit.session.decidePlan(kit.session.store.getState().runOrder[0]!, { kind: 'callByCall' });
    expect([statusWord(plan().node, defaultLabels), statusOf(plan().node)]).toEqual(['call by call', 'succeeded']);
  });
});

describe('times', () => {
  it('split a call into queue, approval, handler and transfer, which add up', async () => {
    const kit = createTestKit(1_000);
    const run = kit.run('x');
    const id = kit.request(run, 'pay', {});
    kit.pass(5);
    kit.ask(id);
    kit.pass(2_000);
    await kit.session.decide(id, { kind: 'allow' });
    kit.pass(300);
    kit.succeed(id, 1);
    kit.pass(4);
    kit.emit('delivery', { items: [{ kind: 'call', id: 1 }], clock: [] }, run);
    const done = callById(kit.session.store.getState(), id)!;
    expect(callTimes(done, 0)).toEqual({ total: 2_309, queue: 5, approval: 2_000, handler: 300, transfer: 4 });
    expect(callSegments(done, 0).map(({ kind, from, to }) => [kind, to - from])).toEqual([
      ['queue', 5],
      ['approval', 2_000],
      ['handler', 300],
      ['transfer', 4],
    ]);
    expect(runTimes(kit.session.store.getState().runs[run]!, 3_309)).toEqual({
      queued: 0,
      program: 9,
      tools: 300,
      people: 2_000,
    });
  });

  it('count each moment of a run once, however many calls were at work', () => {
    const kit = createTestKit(1_000);
    const run = kit.run('x');
    const [a, b, c] = ['a', 'b', 'c'].map((tool) => kit.request(run, tool, {}, { group: 1 }));
    kit.start(a!);
    kit.start(b!);
    kit.ask(c!);
    kit.pass(100);
    kit.succeed(a!, 1);
    kit.pass(50);
    kit.succeed(b!, 1);
    kit.pass(1_000);
    expect(runTimes(kit.session.store.getState().runs[run]!, 2_150)).toEqual({
      queued: 0,
      program: 0,
      tools: 150,
      people: 1_000,
    });
  });

  it('find the gaps in which the program computed', () => {
    const kit = createTestKit(1_000);
    const run = kit.run('x');
    kit.pass(100);
    call(kit, run, 'a');
    kit.pass(50);
    kit.complete(run);
    const state = kit.session.store.getState();
    expect(computingGaps(state.runs[run]!, 0).map(({ from, to }) => [from, to])).toEqual([
      [1_000, 1_100],
      [1_110, 1_160],
    ]);
  });

  it('measure the bytes the model never saw', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    const id = kit.request(run, 'a', {});
    kit.start(id);
    kit.succeed(id, 'x'.repeat(998));
    kit.complete(run, 'ok');
    const state = kit.session.store.getState();
    expect(bytesKeptOut(state.runs[run]!)).toBe(996);
  });
});

describe('ten thousand rows', () => {
  it('are built in less than 50 ms', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    kit.batch(() => {
      for (let at = 0; at < 10_000; at += 1) kit.log(run, `line ${at}`);
    });
    // The best of several: a busy machine may take the processor away at any time.
    const times = Array.from({ length: 10 }, () => {
      const start = performance.now();
      expect(rowsOf(kit)).toHaveLength(10_001);
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
