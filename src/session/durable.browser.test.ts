import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWebWorkerExecutor } from '../bridge/web-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { deleteDatabase } from '../journal/indexed-db.ts';
import { indexedDbStorage } from '../journal/indexed-db-storage.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeMode, Session } from './types.ts';

vi.setConfig({ testTimeout: 60_000 });

const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 10 });
let names = 0;

/** A page of its own: code mode, worker and storage; what they share is the database. */
function site(): { open(tools?: Tool[]): Promise<Page> } {
  const name = `durable-${Date.now()}-${names++}`;
  onTestFinished(() => deleteDatabase(name));
  return {
    async open(tools = [pay(() => undefined)]) {
      const executor = createWebWorkerExecutor();
      const codeMode = createCodeMode({ tools, executor, storage: indexedDbStorage({ name }) });
      const close = async (): Promise<void> => {
        await codeMode[Symbol.asyncDispose]();
        await executor[Symbol.asyncDispose]();
      };
      onTestFinished(close);
      const session = codeMode.session({ id: 'chat' });
      await until(() => expect(session.store.getState().ownership).not.toBe('opening'));
      return { codeMode, session, close };
    },
  };
}

interface Page {
  readonly codeMode: CodeMode;
  readonly session: Session;
  close(): Promise<void>;
}

const pay = (ran: (input: unknown) => void): Tool => ({
  name: 'pay',
  needsApproval: true,
  execute: (input) => {
    ran(input);
    return { paid: true };
  },
});

describe('a session that is opened again', () => {
  it('shows what it was, values included, and goes on', async () => {
    const { open } = site();
    const first = await open();
    const outcome = await first.session.run('console.log("one"); return "x".repeat(50_000)', { id: 'run-1' }).outcome;
    expect(outcome).toMatchObject({ status: 'completed' });
    await first.close();
    const second = await open();
    const { runs, runOrder, ownership } = second.session.store.getState();
    expect([ownership, runOrder]).toEqual(['owner', ['run-1']]);
    expect(runs['run-1']).toMatchObject({ status: 'completed', items: [{ kind: 'console', text: 'one' }] });
    expect(await second.session.readValue(runs['run-1']!.value!)).toBe('x'.repeat(50_000));
    expect(await second.session.run('return codemode.results.load("r1").then((text) => text.length)').outcome).toMatchObject({
      status: 'completed',
      value: 50_000,
    });
    expect(second.session.journal.events.filter(({ type }) => type === 'catalog.changed')).toHaveLength(1);
  });
});

describe('two pages with one session', () => {
  it('run a call once; the second sees it wait and decides', async () => {
    const { open } = site();
    const [ran, ranElsewhere] = [vi.fn(), vi.fn()];
    const owner = await open([pay(ran)]);
    const viewer = await open([pay(ranElsewhere)]);
    expect(viewer.session.store.getState().ownership).toBe('viewer');
    const run = owner.session.run('return tools.pay({ amount: 5 })', { id: 'run-1' });
    await until(() => expect(viewer.session.store.getState().pending).toEqual(['run-1:1']));
    expect(await viewer.session.decide('run-1:1', { kind: 'allow' })).toEqual({ applied: true });
    expect(await owner.session.decide('run-1:1', { kind: 'deny' })).toEqual({ applied: false, why: 'already_decided' });
    expect(await viewer.session.decide('run-1:9', { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: { paid: true } });
    await until(() => expect(viewer.session.store.getState().runs['run-1']?.status).toBe('completed'));
    expect(viewer.session.journal.events).toEqual(owner.session.journal.events);
    expect([ran.mock.calls.length, ranElsewhere.mock.calls.length]).toEqual([1, 0]);
  });

  it('offer the same permissions in both, and one given in the second lets the rest of the run go', async () => {
    const { open } = site();
    const ran = vi.fn();
    const tools = (record: (input: unknown) => void): Tool[] => [
      pay(record),
      { name: 'wipe', risk: 'danger', execute: () => undefined },
    ];
    const owner = await open(tools(ran));
    const viewer = await open(tools(() => undefined));
    const code =
      'await Promise.all([tools.pay({ amount: 5 }), tools.pay({ amount: 5 }), tools.pay({ amount: 70 }), tools.wipe({})])';
    const run = owner.session.run(code, { id: 'run-1' });
    const ids = ['run-1:1', 'run-1:2', 'run-1:3', 'run-1:4'];
    for (const { session } of [owner, viewer]) await until(() => expect(session.store.getState().pending).toEqual(ids));
    // As a dialog does before it offers anything.
    const { approval } = viewer.session.store.getState().runs['run-1']!.calls[0]!;
    expect(await viewer.session.readValue(approval!.input)).toEqual({ amount: 5 });
    const offers = [
      { scope: 'once' },
      { scope: { next: 2 } },
      { scope: { next: 0 } },
      { scope: 'always' },
      ...(['run', 'session'] as const).flatMap((scope) =>
        (['input', 'tool', { rule: 'amount <= 50' }, { rule: 'amount <' }] as const).map((match) => ({ scope, match })),
      ),
    ] as const;
    for (const id of [...ids, 'run-1:9']) {
      for (const offer of offers)
        expect(viewer.session.grants.preview(id, offer)).toEqual(owner.session.grants.preview(id, offer));
      expect(viewer.session.grants.suggestRule(id)).toBe(owner.session.grants.suggestRule(id));
    }
    expect(viewer.session.grants.preview(ids[0]!, { scope: 'run', match: { rule: 'amount <= 50' } })).toMatchObject({
      ok: true,
      alsoAllows: ['run-1:2'],
    });
    expect(viewer.session.grants.preview(ids[3]!, { scope: 'run' }).ok).toBe(false);
    const { inputDigest } = approval!;
    const receipt = await viewer.session.decide(ids[0]!, { kind: 'allow', scope: 'run', match: 'tool', inputDigest });
    expect(receipt).toMatchObject({ applied: true, grant: { words: 'pay with any input, for the rest of this run' } });
    await until(() => expect(viewer.session.store.getState().pending).toEqual([ids[3]]));
    // A handler runs once its start is on disk.
    await until(() => expect(ran).toHaveBeenCalledTimes(3));
    expect(viewer.session.grants.list).toEqual(owner.session.grants.list);
    expect(await viewer.session.grants.revoke(viewer.session.grants.list[0]!.id)).toBe(true);
    await until(() => expect(viewer.session.grants.list).toEqual([]));
    expect(await viewer.session.decide(ids[3]!, { kind: 'cancelRun' })).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ status: 'cancelled' });
  });

  it('run nothing in the second, until the first is gone', async () => {
    const { open } = site();
    const owner = await open();
    await owner.session.run('return 1', { id: 'run-1' }).outcome;
    const viewer = await open();
    const refused = viewer.session.run('return 2', { id: 'run-2' });
    expect(await refused.outcome).toMatchObject({ status: 'failed', error: { code: 'not_owner' }, calls: [] });
    const text = await viewer.session.modelTools.executeCode.run({ code: 'return 2' });
    expect(JSON.stringify(text)).toContain('open in another tab');
    expect(owner.session.store.getState().runOrder).toEqual(['run-1']);
    await owner.close();
    await until(() => expect(viewer.session.store.getState().ownership).toBe('owner'));
    expect(await viewer.session.run('return 2', { id: 'run-2' }).outcome).toMatchObject({ status: 'completed', value: 2 });
    expect(viewer.session.store.getState().runOrder).toEqual(['run-1', 'run-2']);
  });
});
