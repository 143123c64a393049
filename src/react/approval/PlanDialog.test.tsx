// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlannedTool } from '../../journal/events.ts';
import { testGuard } from '../../testing/test-guard.ts';
import { askFor, button, dialog, ready } from '../test-tools/asked.tsx';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const PROGRAM = 'const rows = await tools.orders.list();\nawait tools.payments.refund({ id: rows[0].id });\n';

const planned = (tool: string, risk: PlannedTool['risk'], line: number): PlannedTool => ({
  tool,
  title: tool,
  risk,
  definitionHash: 'hash',
  sites: [{ line, column: 1 }],
  askedAnyway: risk === 'danger',
});
const TOOLS = [planned('orders.list', 'read', 1), planned('payments.refund', 'danger', 2)];

function asked(data: Partial<Parameters<TestKit['plan']>[1]> = {}): { kit: TestKit; runId: string } {
  const kit = createTestKit();
  render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
  const runId = inAct(() => kit.plan(PROGRAM, { tools: TOOLS, ...data }, { title: 'Everything is approved already' }));
  return { kit, runId };
}

describe('a program as a whole', () => {
  it('is shown with its text, the tools it names with risk and lines, and what is asked about anyway', () => {
    asked();
    expect(within(dialog()).getByRole('heading', { name: 'Run this program?' })).toBe(document.activeElement);
    expect(dialog().getAttribute('data-risk')).toBe('danger');
    const rows = within(dialog()).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'readorders.listline 1',
      'dangerpayments.refundline 2asked about each time',
    ]);
    const lines = [...dialog().querySelectorAll('.cm-line-code')].map(({ textContent }) => textContent).join('');
    expect(lines).toBe(PROGRAM);
  });

  it('its title is the assistant’s, and quoted as such', () => {
    asked();
    expect(dialog().querySelector('figure')?.textContent).toBe('The assistant calls itEverything is approved already');
    expect(
      within(dialog())
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).not.toContain('Everything is approved already');
  });

  it('with a computed tool name says that it may call any', () => {
    asked({ tools: [], anyOf: 14 });
    expect(within(dialog()).getByText(/it may call any of 14 tools. Each call will be asked about/)).toBeTruthy();
  });

  it.each([
    ['Allow program', { kind: 'allow', sourceDigest: `digest of ${PROGRAM}` }],
    ['Call by call', { kind: 'callByCall' }],
  ])('is answered by “%s”', async (name, decision) => {
    const { kit, runId } = asked();
    await ready(name);
    await userEvent.click(button(name));
    expect(kit.planDecisions).toEqual([{ runId, decision }]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('is not run for a reason', async () => {
    const { kit } = asked();
    await userEvent.click(button('Deny…'));
    await userEvent.type(within(dialog()).getByLabelText(/Reason/), 'not today');
    await ready('Do not run');
    await userEvent.click(button('Do not run'));
    expect(kit.planDecisions[0]?.decision).toEqual({ kind: 'deny', reason: 'not today' });
  });

  it('waits after Escape, in the bar; and behind calls that wait', async () => {
    const { kit, runId } = asked();
    await userEvent.keyboard('{Escape}');
    expect(kit.planDecisions).toEqual([]);
    expect(screen.getByText('Run this program?')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Review' }));
    expect(kit.session.store.getState().pendingPlans).toEqual([runId]);
    const call = inAct(() => askFor(kit, kit.run(PROGRAM)));
    expect(within(dialog()).getByText('2 of 2')).toBeTruthy();
    await ready('Call by call');
    await userEvent.click(button('Call by call'));
    expect(within(dialog()).getByRole('heading', { name: 'Transfer 40.00 EUR to ACME?' })).toBeTruthy();
    expect(kit.session.store.getState().pending).toEqual([call]);
  });
});
