/** A dialog with one question of a payments desk, and the ways to its parts. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { testGuard } from '../../testing/test-guard.ts';
import { ApprovalDialog, type ApprovalDialogProps } from '../approval/ApprovalDialog.tsx';
import { inAct } from './in-act.ts';
import { createTestKit, type AskOptions, type TestKit } from './test-kit.ts';

export const SOURCE = 'for (const o of late) {\n  await tools.payments.transfer({ to: o.to, amount: o.amount });\n}\n';
export const TRANSFER: unknown = { to: 'ACME', amount: 40, currency: 'EUR', orderId: 7 };

export interface AskedDialog {
  readonly kit: TestKit;
  readonly runId: string;
  readonly callId: string;
}

/** Asks for one call of a new run, or of a known one. */
export function askFor(
  kit: TestKit,
  runId: string,
  input: unknown = TRANSFER,
  ask: AskOptions = {},
  tool = 'payments.transfer',
): string {
  const callId = kit.request(runId, tool, input, { line: 2 });
  kit.ask(callId, { question: 'Transfer 40.00 EUR to ACME?', ...ask });
  return callId;
}

export function askedDialog(
  input: unknown = TRANSFER,
  ask: AskOptions = {},
  props: Partial<ApprovalDialogProps> = {},
  prepare: (kit: TestKit) => void = () => {},
): AskedDialog {
  const kit = createTestKit();
  prepare(kit);
  render(<ApprovalDialog session={kit.session} guard={testGuard()} {...props} />);
  const runId = inAct(() => kit.run(SOURCE));
  return { kit, runId, callId: inAct(() => askFor(kit, runId, input, ask)) };
}

export const dialog = (): HTMLElement => screen.getByRole('alertdialog');
export const button = (name: string | RegExp): HTMLElement => within(dialog()).getByRole('button', { name });
export const ready = (name: string | RegExp): Promise<void> =>
  waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBe('false'));
