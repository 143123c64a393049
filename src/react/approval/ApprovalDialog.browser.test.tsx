/** What only a browser can tell: trusted events, the top layer, focus, sizes. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import '../styles.css';
import { TracePanel } from '../trace/TracePanel.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';

afterEach(async () => {
  await cleanup();
});

const SOURCE = 'await tools.payments.refund({ orderId: 1 });\n';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param period of the guard; a busy machine may take half a second for a click */
async function mount(period?: number): Promise<TestKit> {
  const kit = createTestKit();
  await render(
    <>
      <textarea aria-label="message" defaultValue="hello there" />
      <button type="button">Send</button>
      <ApprovalDialog session={kit.session} {...(period !== undefined && { guardMs: period })} />
    </>,
  );
  return kit;
}

function ask(kit: TestKit, input: unknown = { orderId: 1 }, risk: 'write' | 'danger' = 'write'): string {
  const callId = kit.request(kit.run(SOURCE), 'payments.refund', input, { line: 1 });
  kit.ask(callId, { question: 'Refund order #1?', risk });
  return callId;
}

async function opened(): Promise<Element> {
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog, { timeout: 10_000 }).toBeVisible();
  return dialog.element();
}

const allow = () => page.getByRole('button', { name: 'Allow once' });
const ready = () => expect.element(allow(), { timeout: 10_000 }).toHaveAttribute('aria-disabled', 'false');

describe('the way back', () => {
  it('from a reason and from the editor leads to the button that opened them; a decision leads to the next question', async () => {
    const kit = await mount();
    const run = kit.run(SOURCE);
    for (const orderId of [1, 2])
      kit.ask(kit.request(run, 'payments.refund', { orderId }), { question: `Refund order #${orderId}?` });
    await opened();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    for (const name of ['Deny…', 'Edit']) {
      await button(name).click();
      (button('Back').element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(button(name)).toHaveFocus();
    }
    await button('Deny…').click();
    await expect.element(button('Deny'), { timeout: 10_000 }).toHaveAttribute('aria-disabled', 'false');
    await button('Deny').click();
    await expect.element(page.getByRole('heading', { name: 'Refund order #2?' })).toHaveFocus();
  });
});

describe('the guard', () => {
  it('ignores a click that comes as the dialog opens, and takes one after the period', async () => {
    const kit = await mount(3_000);
    ask(kit);
    await allow().click({ force: true });
    expect(kit.decisions).toEqual([]);
    await ready();
    await allow().click();
    expect(kit.decisions).toHaveLength(1);
  });

  it('begins anew with every key and pointer until it is over', async () => {
    const kit = await mount(2_000);
    ask(kit);
    await expect.element(allow()).toBeVisible();
    // Longer than the period, with pauses that stay below it on a busy machine.
    for (let at = 0; at < 6; at += 1) {
      await userEvent.keyboard('x');
      await wait(400);
    }
    expect(allow().element().getAttribute('aria-disabled')).toBe('true');
    await ready();
  });

  it('never takes a click that a script made', async () => {
    const kit = await mount();
    ask(kit);
    await ready();
    (allow().element() as HTMLElement).click();
    allow()
      .element()
      .dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'mouse' }));
    expect(kit.decisions).toEqual([]);
  });

  it('never takes a key that was held down before', async () => {
    const kit = await mount();
    await userEvent.click(page.getByLabelText('message'));
    await wait(900);
    ask(kit);
    await ready();
    (allow().element() as HTMLElement).focus();
    const repeat = (type: string, repeated: boolean): boolean =>
      allow()
        .element()
        .dispatchEvent(new KeyboardEvent(type, { key: 'Enter', repeat: repeated, bubbles: true, cancelable: true }));
    // The browser clicks a button for each repeated Enter unless the key press is refused.
    expect(repeat('keydown', true)).toBe(false);
    expect(kit.decisions).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(kit.decisions).toHaveLength(1);
  });

  it('a pointer that goes down elsewhere and up on the button decides nothing', async () => {
    const kit = await mount();
    ask(kit);
    await ready();
    await userEvent.dragAndDrop(page.getByRole('button', { name: 'Edit' }), allow());
    expect(kit.decisions).toEqual([]);
  });
});

describe('a dangerous call', () => {
  it('needs the button held for its time', async () => {
    const kit = await mount();
    ask(kit, { orderId: 1 }, 'danger');
    const hold = page.getByRole('button', { name: 'Hold to allow' });
    await expect.element(hold, { timeout: 10_000 }).toHaveAttribute('aria-disabled', 'false');
    await hold.click();
    await wait(1_500);
    expect(kit.decisions).toEqual([]);
    await hold.click({ delay: 2_500 });
    expect(kit.decisions).toHaveLength(1);
  });
});

describe('the modal', () => {
  it('keeps everything else out of reach and the focus inside', async () => {
    const kit = await mount();
    ask(kit);
    const dialog = (await opened()) as HTMLDialogElement;
    expect(dialog.matches(':modal')).toBe(true);
    expect(document.activeElement?.textContent).toBe('Refund order #1?');
    for (let at = 0; at < 12; at += 1) {
      await userEvent.keyboard('{Tab}');
      const { activeElement } = document;
      expect(activeElement === document.body || dialog.contains(activeElement)).toBe(true);
    }
  });

  it('Escape means later; the focus goes back to the caret it came from; nothing was decided', async () => {
    const kit = await mount();
    const message = page.getByLabelText('message').element() as HTMLTextAreaElement;
    message.focus();
    message.setSelectionRange(2, 5);
    const callId = ask(kit);
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
    expect(document.activeElement).toBe(message);
    expect([message.selectionStart, message.selectionEnd]).toEqual([2, 5]);
    expect(kit.session.store.getState().pending).toEqual([callId]);
    expect(kit.decisions).toEqual([]);
    await userEvent.click(page.getByRole('button', { name: 'Review' }));
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
  });

  it('does not open over a person who types', async () => {
    const kit = await mount();
    await userEvent.click(page.getByLabelText('message'));
    await userEvent.keyboard('abc');
    ask(kit);
    await expect.element(page.getByText('Opens when you stop typing')).toBeVisible();
    expect(document.querySelector('dialog')).toBeNull();
    await expect.element(page.getByRole('alertdialog'), { timeout: 10_000 }).toBeVisible();
    expect((page.getByLabelText('message').element() as HTMLTextAreaElement).value).toContain('abc');
  });

  it('fits on a phone: title and buttons stay, the content scrolls, targets are 44 px', async () => {
    await page.viewport(320, 480);
    const kit = await mount();
    ask(kit, Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`field${at}`, 'value '.repeat(10)])));
    const dialog = (await opened()) as HTMLDialogElement;
    await ready();
    const box = dialog.getBoundingClientRect();
    expect(box.width).toBeLessThanOrEqual(320);
    expect(box.bottom).toBeLessThanOrEqual(480.5);
    expect(dialog.scrollWidth).toBeLessThanOrEqual(320);
    for (const button of dialog.querySelectorAll<HTMLElement>('[data-cm-decision], [data-action]')) {
      expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
      expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(480);
    }
    await page.viewport(800, 600);
  });
});

describe('the trace', () => {
  it('stays windowed and in step with ten thousand rows', async () => {
    const kit = createTestKit();
    const run = kit.run(SOURCE);
    await render(
      <div style={{ height: 400 }}>
        <TracePanel session={kit.session} program={false} />
      </div>,
    );
    kit.batch(() => {
      for (let at = 0; at < 10_000; at += 1) kit.log(run, `line ${at}`);
    });
    await expect.element(page.getByRole('tree')).toBeVisible();
    const tree = page.getByRole('tree').element();
    await expect.poll(() => tree.scrollHeight).toBe(28 * 10_001);
    await expect.poll(() => tree.querySelector('[aria-posinset="10000"]')).not.toBeNull();
    expect(tree.querySelectorAll('[role="treeitem"]').length).toBeLessThan(60);
  });
});
