// @vitest-environment happy-dom
// A page that was open during a deployment asks for files that are gone. Questions must be answered all the same.
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testGuard } from '../testing/test-guard.ts';
import { ApprovalDialog } from './approval/ApprovalDialog.tsx';
import { inAct } from './test-tools/in-act.ts';
import { createTestKit } from './test-tools/test-kit.ts';
import { TracePanel } from './trace/TracePanel.tsx';
import './test-tools/patience.ts';

const reach = vi.hoisted(() => {
  const state = {
    parts: false,
    asked: [] as string[],
    gone: (name: string) => async (original: () => Promise<object>) => {
      state.asked.push(name);
      if (!state.parts) throw new Error('404');
      return original();
    },
  };
  return state;
});
vi.mock('./trace/TraceView.tsx', reach.gone('trace'));
vi.mock('./approval/edit-parts-later.ts', reach.gone('editor'));
vi.mock('sugar-high/lang/typescript', reach.gone('colours'));

beforeEach(() => {
  reach.parts = false;
  reach.asked = [];
});
afterEach(cleanup);

const SOURCE = 'await tools.payments.refund({ orderId: 7 });';
const dialog = (): HTMLElement => screen.getByRole('alertdialog');
const button = (name: string): HTMLElement => within(dialog()).getByRole('button', { name });
const ready = (name: string): Promise<void> => waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBe('false'));

function asked() {
  const kit = createTestKit();
  render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
  inAct(() => kit.ask(kit.request(kit.run(SOURCE), 'payments.refund', { orderId: 7 }, { line: 1 }), { question: 'Refund?' }));
  return kit;
}

describe('when the files of parts that are loaded later are gone', () => {
  it('the dialog shows question, input and program, and allows', async () => {
    const kit = asked();
    await within(dialog()).findByText('7');
    expect(within(dialog()).getByRole('heading', { name: 'Refund?' })).toBeTruthy();
    expect(dialog().querySelector('[data-marked]')?.textContent).toContain(SOURCE);
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toEqual([
      { callId: expect.any(String), decision: expect.objectContaining({ kind: 'allow', scope: 'once' }) },
    ]);
    expect(reach.asked).toEqual(expect.arrayContaining(['editor', 'colours']));
  });

  it('the editor says so, counts the changes, and sends what was edited; a second try brings the rest', async () => {
    const kit = asked();
    await ready('Allow once');
    await userEvent.click(button('Edit'));
    fireEvent.change(within(dialog()).getByRole('textbox'), { target: { value: '{ "orderId": 8 }' } });
    expect(await within(dialog()).findByText(/Part of the editor could not be loaded/)).toBeTruthy();
    expect(within(dialog()).getByText('1 change')).toBeTruthy();
    expect(dialog().querySelector('ins')).toBeNull();
    reach.parts = true;
    await userEvent.click(button('Try again'));
    await waitFor(() => expect(dialog().querySelector('ins')?.textContent).toBe('8'));
    await ready('Allow edited');
    await userEvent.click(button('Allow edited'));
    expect(kit.decisions).toEqual([
      { callId: expect.any(String), decision: expect.objectContaining({ kind: 'allow', input: { orderId: 8 } }) },
    ]);
  });

  it('the trace says so and can be asked for again', async () => {
    const kit = createTestKit();
    kit.run(SOURCE, { title: 'Refunds' });
    render(<TracePanel session={kit.session} />);
    const panel = screen.getByRole('region', { name: 'Trace' });
    expect(panel.getAttribute('aria-busy')).toBe('true');
    expect(panel.textContent).toBe('');
    expect((await screen.findByRole('alert')).textContent).toContain('The trace could not be loaded.');
    reach.parts = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('treeitem', { name: /^Refunds/ })).toBeTruthy();
  });
});
