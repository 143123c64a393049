/** Taking a run back: in reverse, asked about like calls, reported one by one, and never twice. */
import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { callById } from '../store/calls.ts';
import { type Call, createScriptedBench, waiting } from './test-tools/scripted.ts';

const bench = createScriptedBench();
const add = async (call: Call) => {
  await call('list');
  for (const name of ['a', 'b', 'c']) await call('add', { name });
  return 'added';
};

/** Shelves that a tool fills and empties. */
function shelf(over: Partial<Tool> = {}) {
  const things: string[] = [];
  const removed: string[] = [];
  const tool: Tool = {
    name: 'add',
    describeCall: ({ name }) => `Add ${name}?`,
    execute: ({ name }: { name: string }) => things.push(name),
    revert({ name }: { name: string }, place: number, { signal }) {
      if (signal.aborted || things[place - 1] !== name) throw new Error(`${name} is not at ${place}`);
      things.splice(place - 1, 1);
      removed.push(name);
    },
    ...over,
  };
  return { things, removed, tools: [tool, { name: 'list', risk: 'read' as const, execute: () => things }] };
}

describe('undo', () => {
  it('takes the calls of a run back, last one first, in a run of its own', async () => {
    const { things, removed, tools } = shelf();
    const s = bench.session({ add }, { tools });
    const run = s.run('add', { title: 'Fill the shelf' });
    await run.outcome;
    expect(s.undoable(run.id)).toMatchObject({ calls: [{ tool: 'add' }, { tool: 'add' }, { tool: 'add' }], stays: [] });
    const undone = await s.undo(run.id);
    expect(undone).toMatchObject({ status: 'undone', failed: [], stays: [] });
    expect(undone.undone).toEqual([4, 3, 2].map((n) => `${run.id}:${n}`));
    expect([things, removed]).toEqual([[], ['c', 'b', 'a']]);
    const state = s.store.getState();
    expect(state.runs[undone.runId!]).toMatchObject({ title: 'Undo Fill the shelf', undoes: run.id, status: 'completed' });
    expect(callById(state, `${run.id}:4`)?.undoneBy).toBe(`${undone.runId}:1`);
    const facts = s.journal.events.filter(({ runId }) => runId === undone.runId).map(({ type }) => type);
    expect(facts.slice(0, 6)).toEqual([
      'run.queued',
      'run.started',
      'undo.requested',
      'tool_call.requested',
      'tool_call.started',
      'tool_call.succeeded',
    ]);
  });

  it('does nothing a second time, also when both are asked for at once', async () => {
    const { removed, tools } = shelf();
    const s = bench.session({ add }, { tools });
    const run = s.run('add');
    await run.outcome;
    const [first, second] = await Promise.all([s.undo(run.id), s.undo(run.id)]);
    expect([first.status, second.status]).toEqual(['undone', 'nothing']);
    const runs = s.store.getState().runOrder.length;
    expect(await s.undo(run.id)).toEqual({ status: 'nothing', undone: [], failed: [], stays: [] });
    expect(s.store.getState().runOrder).toHaveLength(runs);
    expect(removed).toEqual(['c', 'b', 'a']);
  });

  it('is asked about call by call, in words of its own, and no permission or plan answers', async () => {
    const { things, tools } = shelf({ needsApproval: true });
    const s = bench.session({ add }, { tools });
    const run = s.run('add');
    await s.decide((await waiting(s))[0]!, { kind: 'allow', scope: 'session' });
    await run.outcome;
    const undoing = s.undo(run.id);
    for (const decision of [
      { kind: 'allow', scope: 'session' },
      { kind: 'deny', reason: 'keep b' },
      { kind: 'allow' },
    ] as const) {
      const [id = ''] = await waiting(s);
      const call = callById(s.store.getState(), id)!;
      expect(call.approval?.question).toMatch(/^Undo: Add [abc]\?$/);
      expect(await s.decide(id, { kind: 'allow', input: { name: 'x' } })).toMatchObject({ why: 'invalid_input' });
      expect(await s.decide(id, { kind: 'answer', output: 1 })).toMatchObject({ why: 'invalid_input' });
      const receipt = await s.decide(id, decision);
      expect(receipt.applied).toBe(true);
      if ('scope' in decision) expect(receipt).toMatchObject({ notRemembered: expect.any(String) });
    }
    expect(await undoing).toMatchObject({
      status: 'partly',
      undone: [`${run.id}:4`, `${run.id}:2`],
      failed: [
        { callId: `${run.id}:3`, tool: 'add', error: { code: 'tool_denied', message: expect.stringContaining('keep b') } },
      ],
    });
    expect(things).toEqual(['b']);
  });

  it('reports what failed, goes on with the rest, and can be tried again for that', async () => {
    let broken = true;
    const { things, removed, tools } = shelf();
    const revert: Tool['revert'] = (input, output, call) => {
      if (broken && input.name === 'c') throw new Error('jammed');
      return tools[0]!.revert!(input, output, call);
    };
    const s = bench.session({ add }, { tools: [{ ...tools[0]!, revert }, tools[1]!] });
    const run = s.run('add');
    await run.outcome;
    expect(await s.undo(run.id)).toMatchObject({
      status: 'partly',
      failed: [{ callId: `${run.id}:4`, error: { code: 'tool_error', message: expect.stringContaining('jammed') } }],
    });
    expect(removed).toEqual(['b', 'a']);
    broken = false;
    things.unshift('x', 'y');
    expect(await s.undo(run.id)).toMatchObject({ status: 'undone', undone: [`${run.id}:4`] });
    expect(removed).toEqual(['b', 'a', 'c']);
  });

  it('says what stays: no way back, gone tools, calls that did not end well; reads and answers need none', async () => {
    const fails = { name: 'fails', execute: () => Promise.reject(new Error('half done')) };
    const answered = { name: 'answered', needsApproval: true, execute: vi.fn(), revert: vi.fn() };
    const all = async (call: Call) => {
      await call('list');
      await call('answered');
      await call('mail');
      await call('gone');
      await call('fails').catch(() => 0);
    };
    const { tools } = shelf();
    const more = [fails, answered, { name: 'mail', execute: () => 1 }, { name: 'gone', execute: () => 1, revert: vi.fn() }];
    const codeMode = bench.codeMode({ all }, { tools: [...tools, ...more] });
    const s = codeMode.session();
    const run = s.run('all');
    await s.decide((await waiting(s))[0]!, { kind: 'answer', output: 1 });
    await run.outcome;
    codeMode.update({ tools: [...tools, ...more.slice(0, 3)] });
    const stays = [
      { callId: `${run.id}:3`, tool: 'mail', why: 'no_revert' },
      { callId: `${run.id}:4`, tool: 'gone', why: 'tool_gone' },
      { callId: `${run.id}:5`, tool: 'fails', why: 'unfinished' },
    ];
    expect(s.undoable(run.id)).toEqual({ calls: [], stays });
    expect(await s.undo(run.id)).toEqual({ status: 'nothing', undone: [], failed: [], stays });
    await expect(s.undo('unknown')).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('meets rules: a denied one is not taken back, a rehearsed one is said to be none', async () => {
    const { things, tools } = shelf();
    const seen: unknown[] = [];
    const codeMode = bench.codeMode(
      { add },
      {
        tools,
        onToolCall: ({ undoes, input }) => {
          if (undoes !== undefined) seen.push(input);
          return undoes === undefined ? undefined : { allowed: false, reason: 'no way back' };
        },
      },
    );
    const s = codeMode.session();
    const run = s.run('add');
    await run.outcome;
    expect(await s.undo(run.id)).toMatchObject({ status: 'failed', undone: [], failed: [{}, {}, {}] });
    expect(seen).toEqual([{ name: 'c' }, { name: 'b' }, { name: 'a' }]);
    codeMode.update({ onToolCall: () => undefined, policy: [{ effect: 'simulate' }] });
    expect(await s.undo(run.id)).toMatchObject({
      status: 'failed',
      failed: [{ error: { message: expect.stringContaining('simulated') } }, {}, {}],
    });
    codeMode.update({ policy: [] });
    expect(things).toEqual(['a', 'b', 'c']);
    expect(await s.undo(run.id)).toMatchObject({ status: 'undone' });
    expect(things).toEqual([]);
  });

  it('can be stopped; what has been taken back stays so', async () => {
    const { removed, tools } = shelf({ needsApproval: ({ name }) => name === 'b' });
    const s = bench.session({ add }, { tools });
    const run = s.run('add');
    await s.decide((await waiting(s))[0]!, { kind: 'allow' });
    await run.outcome;
    const stop = new AbortController();
    const undoing = s.undo(run.id, { signal: stop.signal });
    await waiting(s);
    stop.abort();
    expect(await undoing).toMatchObject({
      status: 'partly',
      undone: [`${run.id}:4`],
      failed: [{ error: { code: 'cancelled' } }, {}],
    });
    expect(removed).toEqual(['c']);
  });

  it('works after a reload, from what the journal has', async () => {
    const storage = memoryStorage();
    const { things, tools } = shelf();
    const first = bench.codeMode({ add }, { tools, storage });
    const run = first.session({ id: 's' }).run('add', { id: 'r' });
    await run.outcome;
    await first[Symbol.asyncDispose]();
    const s = bench.session({ add }, { tools, storage }, { id: 's' });
    expect(await s.undo('r')).toMatchObject({ status: 'undone' });
    expect(things).toEqual([]);
  });

  it('asks before it takes back again what an undo had begun with when it was stopped', async () => {
    let isHeld = true;
    const reverted = vi.fn(() => (isHeld ? new Promise<void>(() => {}) : undefined));
    const { tools } = shelf({ revert: reverted });
    const s = bench.session({ one: (call) => call('add', { name: 'a' }) }, { tools });
    const run = s.run('one');
    await run.outcome;
    const stop = new AbortController();
    const undoing = s.undo(run.id, { signal: stop.signal });
    await vi.waitFor(() => expect(reverted).toHaveBeenCalledTimes(1), { timeout: 15_000, interval: 2 });
    stop.abort();
    expect(await undoing).toMatchObject({ status: 'failed' });
    isHeld = false;
    const again = s.undo(run.id);
    const [id = ''] = await waiting(s);
    expect(callById(s.store.getState(), id)?.approval).toMatchObject({
      question: 'Undo: Add a?',
      reason: expect.stringContaining('nobody knows'),
    });
    expect(reverted).toHaveBeenCalledTimes(1);
    await s.decide(id, { kind: 'allow' });
    expect(await again).toMatchObject({ status: 'undone' });
    expect(reverted).toHaveBeenCalledTimes(2);
  });
});
