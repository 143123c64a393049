import { describe, expect, it } from 'vitest';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { type RowFilter, buildRows, NO_FILTER, type TraceRow } from './rows.ts';
import { bytesKeptOut, callSegments, callTimes, computingGaps } from './times.ts';
import { callById } from '../../store/calls.ts';

function rowsOf(kit: TestKit, options: { toggled?: string[]; filter?: Partial<RowFilter> } = {}): TraceRow[] {
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

describe('times', () => {
  it('split a call into queue, approval and handler, which add up', async () => {
    const kit = createTestKit(1_000);
    const run = kit.run('x');
    const id = kit.request(run, 'pay', {});
    kit.pass(5);
    kit.ask(id);
    kit.pass(2_000);
    await kit.session.decide(id, { kind: 'allow' });
    kit.pass(300);
    kit.succeed(id, 1);
    const done = callById(kit.session.store.getState(), id)!;
    expect(callTimes(done, 0)).toEqual({ total: 2_305, queue: 5, approval: 2_000, handler: 300 });
    expect(callSegments(done, 0).map(({ kind, from, to }) => [kind, to - from])).toEqual([
      ['queue', 5],
      ['approval', 2_000],
      ['handler', 300],
    ]);
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
