/** A call that may have happened: nothing that comes quickly or by habit makes it happen twice. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { germanLabels } from '../labels-de.ts';
import type { Labels } from '../labels.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import '../styles.css';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { ApprovalInline } from './ApprovalInline.tsx';

afterEach(async () => {
  await cleanup();
});

const PATIENCE = { timeout: 10_000 };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Options {
  readonly inline?: boolean;
  readonly labels?: Labels;
}

async function interrupted({ inline = false, labels }: Options = {}): Promise<{ kit: TestKit; callId: string }> {
  const kit = createTestKit(Date.UTC(2026, 10, 30, 12));
  const Surface = inline ? ApprovalInline : ApprovalDialog;
  await render(<Surface session={kit.session} {...(labels && { labels })} />);
  const runId = kit.run('await tools.payments.refund({ orderId: 1 });\n');
  const callId = kit.request(runId, 'payments.refund', { orderId: 1 }, { line: 1 });
  kit.start(callId);
  kit.emit('tool_call.interrupted', { callId }, runId);
  kit.ask(callId, {
    question: 'This may have happened already: Refund order #1?',
    reason: 'words of the core',
    doubt: true,
  });
  return { kit, callId };
}

const button = (name: string) => page.getByRole('button', { name });
const ready = (name: string) => expect.element(button(name), PATIENCE).toHaveAttribute('aria-disabled', 'false');

describe.each([
  ['the dialog', false],
  ['the inline surface', true],
] as const)('%s, about a call that may have happened', (_, inline) => {
  it('says what is known, what each answer does, and ties it to the buttons', async () => {
    await interrupted({ inline });
    await expect
      .element(page.getByRole('heading', { name: 'This may have happened already: Refund order #1?' }), PATIENCE)
      .toBeVisible();
    const note = document.querySelector('[data-part="doubt"]')?.textContent ?? '';
    expect(note).toMatch(/^It started on Nov 30, 2026.* nobody knows whether it took effect/);
    expect(document.body.textContent).not.toContain('words of the core');
    await expect.element(button('Hold to run it now')).toHaveAccessibleDescription(/Otherwise it happens twice/);
    await expect.element(button('It happened…')).toHaveAccessibleDescription(/Nothing runs/);
    await expect.element(button('Leave it')).toHaveAccessibleDescription(/The program is told/);
    for (const name of ['Allow once', 'Edit', 'Deny…']) expect(button(name).query()).toBeNull();
  });

  it('does not run it for clicks and keys that come quickly; holding does', async () => {
    const { kit, callId } = await interrupted({ inline });
    const run = button('Hold to run it now');
    await run.click({ force: true });
    await ready('Hold to run it now');
    await run.dblClick();
    (run.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}{Enter} ');
    await wait(1_500);
    expect(kit.decisions).toEqual([]);
    await run.click({ delay: 2_500 });
    expect(kit.decisions).toMatchObject([{ callId, decision: { kind: 'allow', scope: 'once' } }]);
  });

  it('takes the result it had instead, and nothing runs', async () => {
    const { kit } = await interrupted({ inline });
    await ready('Leave it');
    await button('It happened…').click();
    await expect.element(page.getByText('The tool does not run.', { exact: false })).toBeVisible();
    expect(button('Change the input').query()).toBeNull();
    await page.getByLabelText('Result as JSON').fill('{ "refunded": true }');
    await ready('Use this result');
    await button('Use this result').click();
    expect(kit.decisions).toMatchObject([{ decision: { kind: 'answer', output: { refunded: true } } }]);
  });

  it('is left as it is with one click that counts', async () => {
    const { kit } = await interrupted({ inline });
    await ready('Leave it');
    await button('Leave it').click();
    expect(kit.decisions).toMatchObject([{ decision: { kind: 'deny' } }]);
    await expect.element(page.getByText('Left as it is. Nothing ran.')).toBeInTheDocument();
  });

  it('speaks the second language', async () => {
    await interrupted({ inline, labels: germanLabels });
    await expect
      .element(page.getByRole('heading', { name: 'Das kann schon geschehen sein: Refund order #1?' }), PATIENCE)
      .toBeVisible();
    await expect.element(button('Zum Ausführen halten')).toHaveAccessibleDescription(/Sonst geschieht es zweimal/);
  });
});

it('is never among those that are allowed together', async () => {
  const { kit } = await interrupted();
  const sure = kit.request(kit.run('x();\n'), 'payments.refund', { orderId: 1 });
  kit.ask(sure, { question: 'Refund order #1?' });
  await expect.element(button('1 of 2'), PATIENCE).toBeVisible();
  await button('1 of 2').click();
  await ready('Allow all 1 shown');
  await button('Allow all 1 shown').click();
  expect(kit.decisions).toMatchObject([{ callId: sure, decision: { kind: 'allow' } }]);
});
