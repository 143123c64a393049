import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunView, SessionState } from '../../store/state.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { BLOCK_SIZE, blocksOf } from './blocks.ts';
import { countFailures, failuresOf, toolsOf } from './failures.ts';
import { linesWithRows } from './find-rows.ts';
import { failuresIn, lineOf, type TraceNode } from './nodes.ts';
import { isFiltering, matcherOf, matching, NO_FILTER } from './row-filter.ts';
import type { TraceRow, TraceRows } from './row-list.ts';
import { buildRows, type RowOptions } from './rows.ts';
import { nodesOf, runNode, runParts } from './run-nodes.ts';
import { bytesKeptOut, computingGaps, openCalls as openIn, runTimes } from './times.ts';

/** What happened inside a run, made from nothing and in one piece. */
function wholeRun(state: SessionState, id: string): readonly TraceNode[] {
  const run = structuredClone(state.runs[id]!);
  const entries = run.items.map((item) => (item.kind === 'call' ? run.calls[item.index]! : item));
  const parts = runParts(run);
  return [...parts[0]!, ...nodesOf({ runId: id, from: 0, entries }), ...parts.at(-1)!];
}

/** The rows as one would write them down without remembering anything. */
function rebuilt(state: SessionState, { runIds, toggled, filter }: RowOptions): TraceRow[] {
  const rows: TraceRow[] = [];
  const filtering = isFiltering(filter);
  const matches = matcherOf(filter);
  const add = (nodes: readonly TraceNode[], level: number, parent: string): void =>
    nodes.forEach((node, at) => {
      const expandable = node.children.length > 0;
      const expanded = expandable && (filtering || node.startsOpen !== toggled.has(node.id));
      const failures = failuresIn(node);
      rows.push({ node, level, position: at + 1, setSize: nodes.length, expandable, expanded, parent, failures });
      if (expanded) add(node.children, level + 1, node.id);
    });
  runIds.forEach((id, at) => {
    const run = state.runs[id]!;
    const node = runNode(run, at === runIds.length - 1 || run.endedAt === undefined);
    const expanded = filtering || node.startsOpen !== toggled.has(node.id);
    const all = expanded ? wholeRun(state, id) : [];
    const children = filtering ? matching(all, matches) : all;
    if (filtering && children.length === 0 && !matches(node)) return;
    const failures = run.status === 'failed' ? 1 : children.reduce((sum, child) => sum + failuresIn(child), 0);
    const place = { level: 1, position: at + 1, setSize: runIds.length, parent: undefined };
    rows.push({ node, ...place, expandable: true, expanded, failures });
    add(children, 2, node.id);
  });
  return rows;
}

/** A row without what only its identity tells. */
const facts = ({ node, ...place }: TraceRow): string => {
  const calls = 'calls' in node ? node.calls : node.kind === 'call' ? [node.call] : [];
  const inside = node.children.map(({ id }) => id);
  const own = { id: node.id, kind: node.kind, line: lineOf(node), calls: calls.map(({ id, status }) => [id, status]) };
  return JSON.stringify({ ...place, ...own, inside });
};

type Step = (kit: TestKit, view: { toggled: ReadonlySet<string>; filter: RowOptions['filter'] }) => void;

const nth = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];
const tool = fc.constantFrom('get', 'list', 'send');
const place = fc.nat(1_000);
const openCalls = (kit: TestKit): string[] =>
  Object.values(kit.session.store.getState().runs).flatMap(({ calls, endedAt }) =>
    endedAt === undefined ? calls.filter((call) => call.endedAt === undefined).map(({ id }) => id) : [],
  );
const openRun = (kit: TestKit): string => {
  const { runs, runOrder } = kit.session.store.getState();
  return runOrder.findLast((id) => runs[id]!.endedAt === undefined) ?? kit.run('x', { title: `title ${runOrder.length}` });
};

const ended = (kit: TestKit, id: string, well: boolean): void => {
  kit.start(id);
  if (well) kit.succeed(id, 'ok');
  else kit.fail(id, 'no paper');
};

const steps: fc.Arbitrary<Step> = fc.oneof(
  // Calls of one tool, at once or one after another, that end at once or stay open.
  fc.tuple(tool, fc.integer({ min: 1, max: 90 }), fc.boolean(), fc.boolean()).map(
    ([name, count, together, over]): Step =>
      (kit) => {
        const run = openRun(kit);
        const group = kit.session.store.getState().lastSeq + 1;
        for (let at = 0; at < count; at += 1) {
          const id = kit.request(run, name, { at }, { line: (at % 5) + 1, ...(together && { group }) });
          if (over) ended(kit, id, at % 31 !== 30);
        }
      },
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 40 }), fc.boolean()).map(
    ([at, count, well]): Step =>
      (kit) => {
        for (let each = 0; each < count; each += 1) {
          const id = nth(openCalls(kit), at + each * 7);
          if (id !== undefined) ended(kit, id, well);
        }
      },
  ),
  place.map(
    (at): Step =>
      (kit) => {
        const id = nth(openCalls(kit), at);
        if (id !== undefined) kit.ask(id);
      },
  ),
  fc.tuple(fc.integer({ min: 1, max: 70 }), fc.constantFrom('late', 'plain')).map(
    ([count, text]): Step =>
      (kit) => {
        const run = openRun(kit);
        for (let at = 0; at < count; at += 1) kit.log(run, `${text} ${at}`, at % 9 === 0 ? 'warn' : 'log', 7);
      },
  ),
  fc.constantFrom<Step>(
    (kit) => kit.complete(openRun(kit), { total: 1 }),
    (kit) => kit.failRun(openRun(kit), 'boom', 3),
    (kit) => kit.cancelRun(openRun(kit), 'enough'),
    (kit) => void kit.run('x'),
  ),
  place.map(
    (at): Step =>
      (kit, view) => {
        const state = kit.session.store.getState();
        const row = nth([...buildRows(state, { runIds: state.runOrder, ...view })], at);
        if (row)
          view.toggled = new Set(
            [...view.toggled].filter((id) => id !== row.node.id).concat(view.toggled.has(row.node.id) ? [] : [row.node.id]),
          );
      },
  ),
  fc
    .record({
      text: fc.constantFrom('', '', 'late', 'E', 'title 1', 'nowhere'),
      status: fc.constantFrom('all', 'all', 'failed', 'succeeded', 'running'),
      tool: fc.constantFrom('', 'get'),
    })
    .map(
      (filter): Step =>
        (_, view) => {
          view.filter = filter as RowOptions['filter'];
        },
    ),
);

/** By how many rows the first that is left of the old ones has moved. */
function movedBy(old: readonly TraceRow[], rows: readonly TraceRow[], from: number): number {
  for (let at = from; at < old.length; at += 1) {
    const now = rows.findIndex(({ node }) => node.id === old[at]!.node.id);
    if (now >= 0) return now - at;
  }
  return 0;
}

/** What the calls of a run come to, looking at each of them. */
function figuresOf(run: RunView, now: number) {
  const end = run.endedAt ?? now;
  const busy = run.calls.map((call) => [call.requestedAt, call.endedAt ?? end] as const).sort((a, b) => a[0] - b[0]);
  let at = run.startedAt ?? end;
  let computing = 0;
  for (const [from, to] of busy) {
    computing += Math.max(0, from - at);
    at = Math.max(at, to);
  }
  return {
    computing: computing + Math.max(0, end - at),
    open: run.calls.filter((call) => call.endedAt === undefined).map(({ id }) => id),
    bytes: run.calls.reduce((sum, { outputBytes = 0 }) => sum + outputBytes, 0),
  };
}

describe('rows that are made as a trace grows', () => {
  it('are those of a full rebuild, after any events, filters and folds', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 4, maxLength: 14 }), (sequence) => {
        const kit = createTestKit(1_000);
        const view = { toggled: new Set<string>() as ReadonlySet<string>, filter: NO_FILTER };
        let before: TraceRows | undefined;
        for (const step of sequence) {
          step(kit, view);
          const state = kit.session.store.getState();
          const options = { runIds: state.runOrder, ...view };
          const rows = buildRows(state, options);
          const listed = [...rows];
          expect(listed.map(facts).join('\n')).toBe(rebuilt(state, options).map(facts).join('\n'));
          expect(rows.length).toBe(listed.length);
          for (const at of [0, 1, listed.length >> 1, listed.length - 1]) {
            expect(rows.at(at)).toEqual(listed[at]);
            if (listed[at]) expect(rows.indexOf(listed[at].node.id)).toBe(at);
          }
          if (before)
            for (const at of [0, before.length >> 1]) expect(rows.movedFrom(before, at)).toBe(movedBy([...before], listed, at));
          before = rows;
          const calls = Object.values(state.runs).flatMap((run) => run.calls);
          expect(toolsOf(state, state.runOrder)).toEqual([...new Set(calls.map((call) => call.tool))].sort());
          expect(countFailures(state, state.runOrder)).toBe(failuresOf(state, state.runOrder).length);
          const last = state.runOrder.at(-1);
          const lines = listed.filter(({ node, expanded }) => node.runId === last && !expanded).map(({ node }) => lineOf(node));
          expect(new Set(linesWithRows(rows, last))).toEqual(new Set(lines.filter((line) => line !== undefined)));
        }
        for (const run of Object.values(kit.session.store.getState().runs)) {
          const { computing, open, bytes } = figuresOf(run, 5_000);
          expect(openIn(run).map(({ id }) => id)).toEqual(open);
          expect(bytesKeptOut({ ...run, value: undefined } as never)).toBe(bytes);
          const { program, queued, tools, people } = runTimes(run, 5_000);
          expect(program + queued + tools + people).toBe(Math.max(0, (run.endedAt ?? 5_000) - run.queuedAt));
          const gaps = computingGaps(run, 5_000).reduce((sum, { from, to }) => sum + to - from, 0);
          expect(gaps).toBeLessThanOrEqual(computing);
          expect(computing - gaps).toBeLessThan(1_000);
        }
      }),
      { numRuns: 25 },
    );
  }, 30_000);

  it('cost what changed: everything else is the same as before, under a filter too', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    const waiting: string[] = [];
    kit.batch(() => {
      for (let at = 0; at < 40 * BLOCK_SIZE; at += 1) kit.log(run, `line ${at}`);
    });
    waiting.push(kit.request(run, 'get', {}));
    kit.batch(() => {
      for (let at = 0; at < 40 * BLOCK_SIZE; at += 1) kit.log(run, `line ${at}`);
    });
    const toggled: ReadonlySet<string> = new Set();
    for (const filter of [NO_FILTER, { ...NO_FILTER, text: 'line' }]) {
      const fresh = (change: () => void): number => {
        const build = () => buildRows(kit.session.store.getState(), { runIds: [run], toggled, filter });
        const known = new Set(build().parts);
        change();
        return build().parts.filter((part) => !known.has(part)).length;
      };
      // One part of lines, and the row of the run itself.
      expect(fresh(() => kit.log(run, 'one more line'))).toBe(2);
      expect(fresh(() => kit.progress(waiting[0]!, 1, 2))).toBe(2);
    }
    const blocks = new Set(blocksOf(kit.session.store.getState().runs[run]!));
    kit.stats(run, 1, 1);
    expect(blocksOf(kit.session.store.getState().runs[run]!).filter((block) => !blocks.has(block))).toEqual([]);
  });

  it('fold any number of calls of one tool into one row', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    for (let at = 0; at < 300; at += 1) {
      const id = kit.request(run, 'get', { at });
      ended(kit, id, true);
    }
    const rows = [...buildRows(kit.session.store.getState(), { runIds: [run], toggled: new Set(), filter: NO_FILTER })];
    expect(rows.map(({ node }) => node.kind)).toEqual(['run', 'fold']);
    expect(rows[1]!.node.children).toHaveLength(300);
  });
});
