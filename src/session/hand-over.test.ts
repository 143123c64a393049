/** A page that followed a session and becomes its owner knows what happened meanwhile, whatever it looked at before. */
import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { createScriptedBench, waiting } from './test-tools/scripted.ts';
import { createTabs } from './test-tools/tabs.ts';
import type { CodeModeOptions, Session } from './types.ts';

const bench = createScriptedBench();
/** However busy the machine. */
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 2 });
const pay = (ran: () => unknown, over: Partial<Tool> = {}): Tool => ({ name: 'pay', execute: ran, ...over });

/** Two pages: the second follows the first. */
async function twoPages(...both: readonly [Partial<CodeModeOptions>, Partial<CodeModeOptions>]) {
  const tabs = createTabs();
  const becomes = (session: Session, role: 'owner' | 'viewer') =>
    until(() => expect(session.store.getState().ownership).toBe(role));
  const open = (options: Partial<CodeModeOptions>): Session =>
    bench.session({ pay: (call) => call('pay') }, { ...options, storage: tabs.page() }, { id: 'chat' });
  const first = open(both[0]);
  await becomes(first, 'owner');
  const second = open(both[1]);
  await becomes(second, 'viewer');
  const handOver = async (): Promise<void> => {
    tabs.closeOwner();
    await becomes(second, 'owner');
  };
  return { tabs, first, second, handOver };
}

describe('a page that takes a session over', () => {
  it('knows what was taken of the limits of rules', async () => {
    const ran = vi.fn();
    const options: Partial<CodeModeOptions> = {
      tools: [pay(ran)],
      policy: [{ match: 'pay', effect: 'allow', max: { per: 'session', calls: 1 } }],
    };
    const { first, second, handOver } = await twoPages(options, options);
    await second.explainPolicy({ tool: 'pay' });
    expect(await first.run('pay').outcome).toMatchObject({ status: 'completed' });
    await handOver();
    expect(await second.run('pay').outcome).toMatchObject({ status: 'failed', error: { code: 'tool_denied' } });
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it('knows which permissions were taken back', async () => {
    const ran = vi.fn();
    const tools = [pay(ran, { needsApproval: true })];
    const { first, second, handOver } = await twoPages({ tools }, { tools });
    const run = first.run('pay');
    await first.decide((await waiting(first))[0]!, { kind: 'allow', scope: 'session' });
    await run.outcome;
    await until(() => expect(second.grants.list).toHaveLength(1));
    await second.grants.refresh();
    expect(await second.grants.revoke(second.grants.list[0]!.id)).toBe(true);
    await handOver();
    const again = second.run('pay');
    await second.decide((await waiting(second))[0]!, { kind: 'deny' });
    await again.outcome;
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it('writes down its own tools, when they are others: what waits is held against them', async () => {
    const [before, after] = [pay(vi.fn()), pay(vi.fn(), { description: 'Pays in another way' })];
    const { tabs, second, handOver } = await twoPages({ tools: [before] }, { tools: [after] });
    second.tool?.('pay');
    await handOver();
    await second.run('pay').outcome;
    const started = tabs.events.findLast(({ type }) => type === 'run.started');
    const catalogs = tabs.events.flatMap(({ type, data }) => (type === 'catalog.changed' ? [data.version] : []));
    expect(catalogs).toContain(started?.type === 'run.started' && started.data.catalogVersion);
  });
});
