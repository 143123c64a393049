/** Sessions whose journals are kept as recordings: together they hold every kind of fact that a real run leaves. */
import { defineTool, type Tool } from '../../src/catalog/tool.ts';
import { ToolError } from '../../src/errors.ts';
import type { Decision } from '../../src/policy/types.ts';
import type { CodeModeOptions, Run, Session } from '../../src/session/types.ts';

export interface RecordedCase {
  readonly name: string;
  readonly options?: Partial<CodeModeOptions>;
  /** Decides what waits, by tool. Without an answer the call keeps waiting. */
  readonly person?: Readonly<Record<string, Decision>>;
  /** Runs the programs, one after another. */
  play(session: Session, run: (source: string) => Run): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const tools: Tool[] = [
  defineTool({
    name: 'orders.get',
    risk: 'read',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false },
    execute: async (input) => {
      const { id } = input as { id: number };
      await pause(id % 7);
      return { id, total: id * 10, password: 'swordfish' };
    },
  }),
  defineTool({ name: 'orders.note', annotations: { idempotentHint: true }, execute: () => 'noted' }),
  defineTool({
    name: 'mail.send',
    needsApproval: true,
    execute: (input, call) => {
      call.report({ done: 1, total: 1, message: 'sent' });
      return { sent: (input as { to: string }).to };
    },
  }),
  defineTool({ name: 'money.refund', risk: 'danger', execute: (input) => input }),
  defineTool({
    name: 'stock.fail',
    execute: () => {
      throw new ToolError('the warehouse is closed', { opens: '08:00' });
    },
  }),
  defineTool({ name: 'text.big', risk: 'read', execute: () => 'abc'.repeat(11_000) }),
];

const program =
  (source: string) =>
  async (_session: Session, run: (source: string) => Run): Promise<void> => {
    await run(source).outcome;
  };

const cases: readonly RecordedCase[] = [
  {
    name: 'sequential',
    play: program(`const first = await tools.orders.get({ id: 1 });
console.log('got', first.total, Math.random());
const second = await tools.orders.get({ id: first.id + 1 });
const began = Date.now();
for (let i = 0; i < 20; i++) Date.now();
return { total: first.total + second.total, id: crypto.randomUUID(), began };`),
  },
  {
    name: 'parallel',
    play: program(`const all = await Promise.all([5, 3, 1].map((id) => tools.orders.get({ id })));
return all.map((order) => order.total);`),
  },
  {
    name: 'approvals',
    person: {
      'mail.send': { kind: 'allow', scope: 'session' },
      'money.refund': { kind: 'deny', reason: 'not today' },
    },
    play: program(`await tools.mail.send({ to: 'a@example.org' }, { intent: 'tell the customer' });
await tools.mail.send({ to: 'b@example.org' });
try { await tools.money.refund({ amount: 5 }) } catch (error) { return error.message }`),
  },
  {
    name: 'edited',
    person: {
      'mail.send': { kind: 'allow', input: { to: 'edited@example.org' } },
      'money.refund': { kind: 'answer', output: { refunded: 'by hand' } },
    },
    play: program(`return [await tools.mail.send({ to: 'a@example.org' }), await tools.money.refund({ amount: 5 })]`),
  },
  {
    name: 'failures',
    play: program(`const names = [];
for (const call of [() => tools.stock.fail({}), () => tools.orders.get({ id: 'x' }), () => tools.nothing({})]) {
  try { await call() } catch (error) { names.push(error.name) }
}
console.error(names.join());
await tools.stock.fail({});`),
  },
  {
    name: 'timers',
    play: program(`const order = [];
const wait = (ms) => new Promise((resolve) => setTimeout(() => { order.push(ms); resolve(ms) }, ms));
const tick = setInterval(() => order.push('tick'), 3);
await Promise.race([wait(40), tools.orders.get({ id: 6 })]);
await Promise.all([wait(12), wait(4), tools.orders.note({ order: order.length })]);
clearInterval(tick);
return { ticked: order.includes('tick'), took: performance.now() >= 12 };`),
  },
  {
    name: 'session-state',
    options: { state: 'session' },
    async play(session, run) {
      await run(`let total = 1; const note = await tools.orders.note({ total });`).outcome;
      await run('total += 41; return total').outcome;
      await session.restart();
      await run('return typeof total').outcome;
    },
  },
  {
    name: 'questions',
    async play(_session, run) {
      await run(`const hits = await codemode.search('refund money');
const tool = await codemode.describe('orders.get');
codemode.emit({ hits: hits.length, secret: 'x', apiKey: 'k-1' });
try { await codemode.describe('no.such') } catch (error) { console.warn(error.name) }
return tool.name;`).outcome;
      await run(`return await codemode.results.load('r1')`).outcome;
    },
  },
  {
    name: 'large',
    play: program(`const big = await tools.text.big({});
await tools.orders.note({ length: big.length });
return big;`),
  },
  {
    name: 'cancelled',
    async play(session, run) {
      const handle = run(`await tools.mail.send({ to: 'late@example.org' })`);
      for (let i = 0; session.store.getState().pending.length === 0 && i < 1_000; i++) await pause(5);
      handle.cancel('enough');
      await handle.outcome;
    },
  },
  {
    name: 'policy',
    options: {
      policy: [{ match: 'stock.*', effect: 'deny', reason: 'closed for stocktaking' }],
      onToolCall: ({ tool, input }) =>
        tool.name === 'orders.note' ? { allowed: true, input: { ...(input as object), by: 'desk' } } : { allowed: true },
    },
    play: program(`await tools.orders.note({ n: 1 });
try { await tools.stock.fail({}) } catch (error) { return error.name }`),
  },
  { name: 'expired', options: { approvalTimeoutMs: 30 }, play: program(`await tools.mail.send({ to: 'x@example.org' })`) },
  {
    name: 'direct',
    async play(session) {
      await session.callTool('orders.get', { id: 2 }, { id: 'run-1' }).outcome;
    },
  },
];

/** All cases with the tools they share. */
export function recordedCases(): readonly RecordedCase[] {
  return cases.map((each) => ({ ...each, options: { tools, ...each.options } }));
}
