/** A run in a chat message that asks where it stands: keyboard, focus, and who else asks. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { ApprovalDialog } from '../approval/ApprovalDialog.tsx';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import '../styles.css';
import { CodeModeRun, type CodeModeRunProps } from './CodeModeRun.tsx';

afterEach(async () => {
  await cleanup();
});

const PATIENCE = { timeout: 10_000 };

/** A conversation: an earlier message, one whose run waits, a composer. */
async function chat(approval?: CodeModeRunProps['approval']): Promise<{ kit: TestKit; run: string }> {
  const kit = createTestKit();
  const earlier = kit.run('return 1\n', { title: 'Count orders' });
  kit.complete(earlier, 1);
  const run = kit.run('await tools.orders.list({});\nawait tools.payments.refund({ orderId: 1 });\n', {
    title: 'Refund late orders',
  });
  await render(
    <>
      <div role="log" aria-label="Conversation">
        <CodeModeRun session={kit.session} runId={earlier} />
        <CodeModeRun session={kit.session} runId={run} {...(approval && { approval })} />
      </div>
      <textarea aria-label="Message" />
      <ApprovalDialog session={kit.session} />
    </>,
  );
  return { kit, run };
}

function ask(kit: TestKit, run: string, orderId = 1): string {
  const callId = kit.request(run, 'payments.refund', { orderId }, { line: 2 });
  kit.ask(callId, { question: `Refund order #${orderId}?` });
  return callId;
}

const message = () => page.getByRole('group', { name: 'Refund late orders' });
const question = () => message().getByRole('group', { name: /payments\.refund/ });
const dialog = () => page.getByRole('alertdialog');
const allow = () => question().getByRole('button', { name: 'Allow once' });
const ready = () => expect.element(allow(), PATIENCE).toHaveAttribute('aria-disabled', 'false');

describe('a message whose run waits', () => {
  it('asks in its place, says once that it does, and leaves focus and dialog alone', async () => {
    const { kit, run } = await chat();
    await userEvent.click(page.getByLabelText('Message'));
    ask(kit, run);
    await expect.element(question()).toHaveAccessibleDescription('Refund order #1?');
    expect(dialog().query()).toBeNull();
    await expect.element(page.getByLabelText('Message')).toHaveFocus();
    const announced = [...document.querySelectorAll('[role="alert"]')].map((each) => each.textContent).filter(Boolean);
    expect(announced).toEqual(['Approval needed: Refund order #1?']);
    // In a log everything that is added would be read out.
    expect(question().element().getAttribute('aria-live')).toBe('off');
    await expect.element(message().getByRole('button', { name: /Refund late orders.*waiting for you/ })).toBeVisible();
  });

  it('is decided by keyboard alone, and the focus stays with the message', async () => {
    const { kit, run } = await chat();
    const callId = ask(kit, run);
    ask(kit, run, 2);
    await ready();
    (message().getByRole('button').first().element() as HTMLElement).focus();
    for (let at = 0; at < 30 && document.activeElement !== allow().element(); at += 1) await userEvent.tab();
    await expect.element(allow()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => kit.decisions).toMatchObject([{ callId, decision: { kind: 'allow' } }]);
    await expect.element(question()).toHaveAccessibleDescription('Refund order #2?');
    await expect.element(message()).toHaveFocus();
    // The next question has a period of its own: the same key again decides nothing.
    await userEvent.keyboard('{Enter}');
    expect(kit.decisions).toHaveLength(1);
  });

  it('is a quiet line again when it is over', async () => {
    const { kit, run } = await chat();
    ask(kit, run);
    await ready();
    const height = (): number => message().element().getBoundingClientRect().height;
    expect(height()).toBeGreaterThan(120);
    await allow().click();
    kit.complete(run, { refunded: 1 });
    await expect.element(message().getByText('completed', { exact: true })).toBeVisible();
    expect(height()).toBeLessThan(60);
  });

  it('asks about its program as a whole, too', async () => {
    const kit = createTestKit();
    const run = kit.plan('await tools.a({});\n', { tools: [], anyOf: 3 }, { title: 'A plan' });
    await render(<CodeModeRun session={kit.session} runId={run} />);
    const button = page.getByRole('button', { name: 'Allow program' });
    await expect.element(button, PATIENCE).toHaveAttribute('aria-disabled', 'false');
    await button.click();
    expect(kit.planDecisions).toMatchObject([{ runId: run, decision: { kind: 'allow' } }]);
  });

  it('leaves the question to the dialog where the application says so', async () => {
    const { kit, run } = await chat('dialog');
    const callId = ask(kit, run);
    await expect.element(dialog(), PATIENCE).toBeVisible();
    expect(document.querySelectorAll('.cm-inline')).toHaveLength(0);
    await userEvent.keyboard('{Escape}');
    await expect.element(message().getByText('Refund order #1?')).toBeVisible();
    await message().getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog().getByRole('heading', { name: 'Refund order #1?' })).toBeVisible();
    expect(kit.session.store.getState().pending).toEqual([callId]);
  });

  it('is asked in both where the application says so, and one answer counts', async () => {
    const { kit, run } = await chat('both');
    const callId = ask(kit, run);
    await expect.element(dialog(), PATIENCE).toBeVisible();
    expect(document.querySelector('.cm-inline-question')).not.toBeNull();
    const button = dialog().getByRole('button', { name: 'Allow once' });
    await expect.element(button, PATIENCE).toHaveAttribute('aria-disabled', 'false');
    await button.click();
    expect(kit.decisions).toMatchObject([{ callId }]);
    await expect.poll(() => document.querySelector('.cm-inline-question')).toBeNull();
    expect(dialog().query()).toBeNull();
  });

  it('tells apart what failed and what a person did not want', async () => {
    const { kit, run } = await chat();
    const denied = ask(kit, run);
    await kit.session.decide(denied, { kind: 'deny', reason: 'not now' });
    kit.fail(kit.request(run, 'orders.list', {}), 'busy');
    kit.complete(run, 1);
    await expect
      .element(message().getByRole('button', { name: /Refund late orders · 2 calls · 1 failed · 1 denied/ }))
      .toBeVisible();
  });

  it('fits into 320 px', async () => {
    await page.viewport(320, 640);
    const { kit, run } = await chat();
    ask(kit, run);
    await ready();
    const tooWide = [...message().element().querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > 320);
    expect(tooWide.map(({ className }) => className)).toEqual([]);
    for (const button of question().getByRole('button').elements())
      if (button.matches('.cm-button')) expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    await page.viewport(1_000, 720);
  });
});
