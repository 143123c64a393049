// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { testGuard } from '../../testing/test-guard.ts';
import { askFor, SOURCE } from '../test-tools/asked.tsx';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { ApprovalInline } from './ApprovalInline.tsx';
import { review } from './approval-ui.ts';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

function mounted(): { kit: TestKit; runId: string } {
  const kit = createTestKit();
  render(
    <>
      <button type="button">Composer</button>
      <ApprovalInline session={kit.session} runId="run-1" guard={testGuard()} />
      <ApprovalDialog session={kit.session} guard={testGuard()} />
    </>,
  );
  return { kit, runId: inAct(() => kit.run(SOURCE, { id: 'run-1' })) };
}

const question = (): HTMLElement => screen.getByRole('group', { name: /payments.transfer/ });

describe('the inline surface', () => {
  it('asks where it stands, is announced once, takes no focus, and keeps the dialog closed', async () => {
    const { kit, runId } = mounted();
    screen.getByText('Composer').focus();
    inAct(() => askFor(kit, runId));
    expect(question().getAttribute('aria-describedby')).toBe(within(question()).getByRole('heading', { name: /Transfer 40/ }).id);
    expect(document.activeElement).toBe(screen.getByText('Composer'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole('alert').textContent).toBe('Approval needed: Transfer 40.00 EUR to ACME?');
    await within(question()).findByText('ACME');
  });

  it('decides by the same rules and keeps what was decided, without buttons', async () => {
    const { kit, runId } = mounted();
    inAct(() => askFor(kit, runId));
    const allow = within(question()).getByRole('button', { name: 'Allow once' });
    await waitFor(() => expect(allow.getAttribute('aria-disabled')).toBe('false'));
    await userEvent.click(allow);
    expect(kit.decisions).toHaveLength(1);
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.getByRole('listitem').textContent).toBe('Transfer 40.00 EUR to ACME? allowed');
  });

  it('leaves other runs to the dialog, and its own when somebody asks to review', () => {
    const { kit, runId } = mounted();
    const callId = inAct(() => askFor(kit, runId));
    inAct(() => review(kit.session, callId));
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    inAct(() => kit.cancelRun(runId));
    inAct(() => askFor(kit, kit.run(SOURCE, { id: 'run-2' })));
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    expect(screen.queryByRole('group', { name: /payments.transfer/ })).toBeNull();
  });

  it('asks about a program as a whole', async () => {
    const kit = createTestKit();
    render(<ApprovalInline session={kit.session} guard={testGuard()} />);
    const runId = inAct(() => kit.plan(SOURCE, { tools: [], anyOf: 3 }));
    const button = screen.getByRole('button', { name: 'Allow program' });
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
    await userEvent.click(button);
    expect(kit.planDecisions).toMatchObject([{ runId, decision: { kind: 'allow' } }]);
  });
});
