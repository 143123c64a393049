import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunOutcome } from 'react-code-mode/core';
import { createTestDesk } from '../../test-tools/desk.ts';

// A real worker starts first, perhaps on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const desk = createTestDesk();
desk.decideAll(() => ({ kind: 'allow' }));
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => desk.shop.reset());

const run = (code: string): Promise<RunOutcome> => desk.session.run(code).outcome;
async function value(code: string): Promise<unknown> {
  const outcome = await run(code);
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

describe('the tools of the support desk', () => {
  it('are accepted by code mode: each has a unique name, a description and usable schemas', async () => {
    expect(new Set(desk.tools.map((tool) => tool.name)).size).toBe(14);
    for (const tool of desk.tools) {
      expect(tool.description?.length).toBeGreaterThan(20);
      const definition = await desk.session.modelTools.getToolDefinition.run({ name: tool.name });
      expect(definition).toMatchObject({ ok: true });
    }
  });

  it('ask a person before money moves, an order is cancelled or a mail is sent, in plain words', () => {
    const questions = Object.fromEntries(
      desk.tools
        .filter((tool) => tool.needsApproval === true)
        .map((tool) => [
          tool.name,
          tool.describeCall?.({ orderId: 11203, amount: 5, customerId: 7, subject: 'Hello', reason: 'late', body: '' }),
        ]),
    );
    expect(questions).toEqual({
      refund_order: 'Refund 5.00 EUR to Customer 0183 for order #11203?',
      cancel_order: 'Cancel order #11203 of Customer 0183 (43.02 EUR)? Reason given: “late”.',
      send_email: 'Send the mail “Hello” to Customer 0007, customer-0007@example.test?',
    });
  });

  it('page through all orders without losing or repeating one', async () => {
    const ids = (await value(`
      const ids = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const answer = await tools.list_orders({ page, pageSize: 100 });
        pages = answer.pages;
        ids.push(...answer.orders.map((order) => order.id));
      }
      return ids;
    `)) as number[];
    expect(ids).toEqual(
      desk.shop
        .orders()
        .map((order) => order.id)
        .reverse(),
    );
  });

  it('refund what is left, once', async () => {
    const outcome = await run(`
      const first = await tools.refund_order({ orderId: 11203, amount: 5, reason: 'late delivery' });
      const rest = await tools.refund_order({ orderId: 11203, reason: 'late delivery' });
      let refused;
      try { await tools.refund_order({ orderId: 11203, reason: 'late delivery' }); } catch (error) { refused = error.message; }
      return [first.amount + rest.amount, refused];
    `);
    const order = desk.shop.order(11203);
    expect(outcome).toMatchObject({ status: 'completed', value: [order?.total, expect.stringContaining('0.00 EUR left')] });
    expect(order?.refunded).toBe(order?.total);
    expect(desk.shop.changes()).toBe(2);
  });

  it('cancel only what has not been shipped', async () => {
    const delivered = desk.shop.orders().find((order) => order.status === 'delivered')?.id;
    const paid = desk.shop.orders().find((order) => order.status === 'paid')?.id;
    expect(await run(`await tools.cancel_order({ orderId: ${delivered}, reason: 'asked for' })`)).toMatchObject({
      status: 'failed',
      error: { code: 'tool_error', message: expect.stringContaining('only paid or packed') },
    });
    expect(await value(`(await tools.cancel_order({ orderId: ${paid}, reason: 'asked for' })).status`)).toBe('cancelled');
  });

  it('refuse a wrong input with the name of the field', async () => {
    const outcome = await run(`await tools.get_order({ id: 11203 })`);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_input' } });
    expect(JSON.stringify(outcome)).toContain('orderId');
  });

  it('report the same revenue by every grouping', async () => {
    const sums = (await value(`
      const reports = await Promise.all(['category', 'country', 'month'].map((groupBy) => tools.sales_report({ groupBy, maxAgeDays: 365 })));
      return reports.map((report) => Math.round(report.rows.reduce((sum, row) => sum + row.revenue, 0)));
    `)) as number[];
    expect(new Set(sums).size).toBe(1);
    expect(sums[0]).toBeGreaterThan(10_000);
  });

  it('track parcels through carriers that fail in their own ways', async () => {
    const byCarrier = (carrier: string): number | undefined =>
      desk.shop.orders().find((order) => order.carrier === carrier && order.status === 'shipped')?.id;
    const answers = await value(`
      const ask = (orderId) => tools.track_parcel({ orderId }).then((answer) => answer.state, (error) => error.data.retry);
      return [await ask(${byCarrier('Carrier A')}), await ask(${byCarrier('Carrier B')}), await ask(${byCarrier('Carrier B')}), await ask(${byCarrier('Carrier C')})];
    `);
    expect(answers).toEqual(['in_transit', true, 'in_transit', false]);
  });

  it('mail, note and export', async () => {
    expect(
      await value(`
        const mail = await tools.send_email({ customerId: 12, subject: 'Hello', body: 'A line.' });
        const ticket = await tools.update_ticket({ ticketId: 'T-0001', status: 'closed', note: 'mailed' });
        const file = await tools.build_export({ kind: 'customers' });
        return [mail.to, ticket.status, ticket.notes, file.rows];
      `),
    ).toEqual(['customer-0012@example.test', 'closed', ['mailed'], 600]);
    expect(desk.shop.outbox()).toHaveLength(1);
  });

  it('find nothing they changed after a reset', async () => {
    await value(`await tools.refund_order({ orderId: 11203, amount: 5, reason: 'late delivery' })`);
    desk.shop.reset();
    expect(desk.shop.order(11203)?.refunded).toBe(0);
    expect(desk.shop.changes()).toBe(0);
  });
});
