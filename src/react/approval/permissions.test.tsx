// @vitest-environment happy-dom
// How far an Allow reaches, and that it says so before.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { askedDialog, askFor, button, dialog, ready, TRANSFER } from '../test-tools/asked.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const menu = (): HTMLSelectElement => within(dialog()).getByRole('combobox', { name: 'Allow how often' });
const offered = (): string[] => [...menu().options].map(({ value }) => value);
const choose = (name: string): Promise<void> => userEvent.selectOptions(menu(), name);
const words = (): string => dialog().querySelector('[data-part="permission"]')?.textContent ?? '';

describe('what is offered', () => {
  it('is once, so many more, this run and this session, by input, tool or rule; always only where the application stores', async () => {
    const { kit } = askedDialog();
    await ready('Allow once');
    expect(offered()).toEqual([
      'once',
      'next',
      ...['run', 'session'].flatMap((reach) => ['input', 'tool', 'rule'].map((match) => `${reach}:${match}`)),
    ]);
    cleanup();
    askedDialog(TRANSFER, {}, {}, (stores) => void (stores.canStore = true));
    await ready('Allow once');
    expect(offered().slice(-3)).toEqual(['always:input', 'always:tool', 'always:rule']);
    expect(kit.decisions).toEqual([]);
  });

  it('is nothing for a call marked danger', () => {
    askedDialog(TRANSFER, { risk: 'danger' });
    expect(within(dialog()).queryByRole('combobox')).toBeNull();
  });
});

describe('a permission', () => {
  it.each([
    [
      'run:input',
      'Allow for run',
      'payments.transfer with exactly this input, for the rest of this run',
      { scope: 'run', match: 'input' },
    ],
    [
      'session:tool',
      'Allow for session',
      'payments.transfer with any input, for this session',
      { scope: 'session', match: 'tool' },
    ],
    [
      'always:tool',
      'Allow always',
      'payments.transfer with any input, always, until revoked',
      { scope: 'always', match: 'tool' },
    ],
  ])('%s is worded before it is given, and remembered in the same words', async (name, allow, said, decision) => {
    const { kit } = askedDialog(TRANSFER, {}, {}, (stores) => void (stores.canStore = true));
    await ready('Allow once');
    await choose(name);
    expect(words()).toBe(`Will run without asking: ${said}.`);
    expect(button(allow).getAttribute('aria-describedby')).toBe(dialog().querySelector('[data-part="permission"] > p')!.id);
    await userEvent.click(button(allow));
    expect(kit.decisions[0]?.decision).toMatchObject({ kind: 'allow', ...decision });
    expect(screen.getByRole('status').textContent).toBe(`Allowed. Remembered: ${said}.`);
  });

  it('says how many calls that wait now go with it', async () => {
    const { kit, runId } = askedDialog();
    act(() => void askFor(kit, runId, { to: 'B', amount: 1 }));
    act(() => void askFor(kit, runId, { to: 'C', amount: 2 }));
    await ready('Allow once');
    await choose('run:tool');
    expect(words()).toContain('2 calls that wait now go with it.');
    await userEvent.click(button('Allow for run'));
    expect(kit.session.store.getState().pending).toEqual([]);
  });

  it('for so many identical calls takes a number, and none while there is none', async () => {
    const { kit } = askedDialog();
    await ready('Allow once');
    await choose('next');
    const field = within(dialog()).getByLabelText('More calls like this one');
    await userEvent.clear(field);
    expect(button('Allow several').getAttribute('aria-disabled')).toBe('true');
    await userEvent.type(field, '5');
    expect(words()).toContain('payments.transfer with exactly this input, for the next 5 calls of this run');
    await userEvent.click(button('Allow several'));
    expect(kit.decisions[0]?.decision).toMatchObject({ kind: 'allow', scope: { next: 5 }, match: 'input' });
  });
});

describe('a rule in words', () => {
  it('begins with the amounts of the input as upper bounds, is shown as it will be, and is what is committed', async () => {
    const { kit } = askedDialog();
    await ready('Allow once');
    await choose('run:rule');
    expect(words()).toContain('payments.transfer where amount <= 40, for the rest of this run');
    fireEvent.change(within(dialog()).getByLabelText('Value for amount'), { target: { value: '50' } });
    await userEvent.click(within(dialog()).getByLabelText('Condition on currency'));
    expect(words()).toContain('payments.transfer where amount <= 50 and currency = "EUR", for the rest of this run');
    await userEvent.click(button('Allow for run'));
    expect(kit.decisions[0]?.decision).toMatchObject({ scope: 'run', match: { rule: 'amount <= 50 and currency = "EUR"' } });
    expect(kit.session.store.getState().grants[0]?.words).toBe(
      'payments.transfer where amount <= 50 and currency = "EUR", for the rest of this run',
    );
  });

  it('is not given while a condition has no value of its kind, or there is none', async () => {
    const { kit } = askedDialog();
    await ready('Allow once');
    await choose('session:rule');
    const amount = within(dialog()).getByLabelText('Value for amount');
    fireEvent.change(amount, { target: { value: 'forty' } });
    expect(words()).toContain('Set at least one condition');
    await userEvent.click(button('Allow for session'));
    fireEvent.change(amount, { target: { value: '40' } });
    await userEvent.click(within(dialog()).getByLabelText('Condition on amount'));
    await userEvent.click(button('Allow for session'));
    expect(kit.decisions).toEqual([]);
  });

  it('says when it would not cover the very call', async () => {
    askedDialog();
    await ready('Allow once');
    await choose('run:rule');
    expect(words()).not.toContain('would not be covered');
    fireEvent.change(within(dialog()).getByLabelText('Value for amount'), { target: { value: '30' } });
    expect(words()).toContain('This very call would not be covered by the rule.');
    await userEvent.selectOptions(within(dialog()).getByLabelText('Comparison of amount'), '>=');
    expect(words()).toContain('where amount >= 30');
    expect(words()).not.toContain('would not be covered');
  });

  it('never speaks of a secret, nor of what is no plain field', async () => {
    askedDialog({ apiKey: 'sk-1', 'odd key': 1, list: [1], nested: { amount: 2 } });
    await ready('Allow once');
    await choose('run:rule');
    const fields = [...dialog().querySelectorAll('.cm-rule-row .cm-check')].map(({ textContent }) => textContent);
    expect(fields).toEqual(['nested.amount']);
    expect(words()).toContain('where nested.amount <= 2');
  });
});

describe('identical calls', () => {
  function three(): ReturnType<typeof askedDialog> & { readonly ids: readonly string[] } {
    const first = askedDialog({ to: 'ACME', amount: 40 });
    const ids = [first.callId];
    act(() => void ids.push(askFor(first.kit, first.runId, { to: 'ACME', amount: 40 })));
    act(() => void ids.push(askFor(first.kit, first.runId, { to: 'ACME', amount: 40 })));
    return { ...first, ids };
  }

  it('are one question with their count and what they come to', async () => {
    three();
    await ready('Allow once');
    const same = dialog().querySelector('[data-part="same"]');
    expect(same?.textContent).toContain('3 identical calls wait.');
    expect(same?.textContent).toContain('amount: 40 each, 120 together');
    expect(within(dialog()).queryByRole('button', { name: /1 of/ })).toBeNull();
  });

  it('are allowed one by one, or all that wait, each by its own decision with its own digest', async () => {
    const { kit, ids } = three();
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(dialog().querySelector('[data-part="same"]')?.textContent).toContain('2 identical calls wait.');
    await ready('Allow once');
    await choose('same');
    await userEvent.click(button('Allow all 2'));
    expect(kit.decisions.map(({ callId }) => callId)).toEqual(ids);
    expect(kit.decisions.every(({ decision }) => decision.kind === 'allow' && decision.inputDigest !== undefined)).toBe(true);
  });

  it('begin a new period when one more joins', async () => {
    const { kit, runId } = three();
    await ready('Allow once');
    act(() => void askFor(kit, runId, { to: 'ACME', amount: 40 }));
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
  });
});
