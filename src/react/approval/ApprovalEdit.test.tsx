// @vitest-environment happy-dom
import { cleanup, fireEvent, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { askedDialog, type AskedDialog, button, dialog, ready } from '../test-tools/asked.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const SCHEMA = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'Who gets it' },
    amount: { type: 'number' },
    currency: { type: 'string', enum: ['EUR', 'USD'] },
    urgent: { type: 'boolean' },
    note: { type: 'string' },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    tags: { type: 'array' },
  },
  required: ['to', 'amount'],
};

async function editing(input: unknown = { to: 'ACME', amount: 40 }): Promise<AskedDialog> {
  const asked = askedDialog(input, {}, {}, (kit) =>
    kit.facts('payments.transfer', {
      title: 'Transfer',
      description: '',
      inputJsonSchema: SCHEMA,
      outputJsonSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    }),
  );
  await ready('Allow once');
  await userEvent.click(button('Edit'));
  return asked;
}

const field = (name: string | RegExp): HTMLElement => within(dialog()).getByLabelText(name);
const send = async (name = 'Allow edited'): Promise<void> => {
  await ready(name);
  await userEvent.click(button(name));
};
const sent = ({ kit }: AskedDialog): unknown => (kit.decisions[0]?.decision as { input?: unknown } | undefined)?.input;

describe('the form', () => {
  it('has a field of its kind for every property of the schema, with its description, and the focus on the first', async () => {
    await editing();
    expect(document.activeElement).toBe(field('to'));
    expect(document.getElementById(field('to').getAttribute('aria-describedby')!)?.textContent).toBe('Who gets it');
    expect(
      [field('amount'), field(/^currency/), field(/^urgent/), field(/^city/), field(/^tags/)].map(({ tagName }) => tagName),
    ).toEqual(['INPUT', 'SELECT', 'INPUT', 'INPUT', 'TEXTAREA']);
    expect(field('to').getAttribute('aria-required')).toBe('true');
  });

  it('changes only what was touched, shows before and after, and sends the rest as it was', async () => {
    const asked = await editing();
    fireEvent.change(field('amount'), { target: { value: '20.5' } });
    await userEvent.selectOptions(field(/^currency/), 'USD');
    await userEvent.click(field(/^urgent/));
    await userEvent.type(field(/^city/), 'Bonn');
    expect(within(dialog()).getByText('4 changes')).toBeTruthy();
    expect([...dialog().querySelectorAll('del')].map(({ textContent }) => textContent)).toEqual(['40']);
    expect([...dialog().querySelectorAll('ins')].map(({ textContent }) => textContent)).toContain('20.5');
    await send();
    expect(sent(asked)).toEqual({ to: 'ACME', amount: 20.5, currency: 'USD', urgent: true, address: { city: 'Bonn' } });
  });

  it('an optional field that is emptied again is not there', async () => {
    const asked = await editing();
    await userEvent.type(field(/^note/), 'x');
    await userEvent.clear(field(/^note/));
    expect(within(dialog()).getByText('Nothing changed yet.')).toBeTruthy();
    await userEvent.type(field('to'), ' Ltd');
    await send();
    expect(sent(asked)).toEqual({ to: 'ACME Ltd', amount: 40 });
  });

  it('ties what is no number to its field and sends nothing', async () => {
    const asked = await editing();
    fireEvent.change(field('amount'), { target: { value: '4o' } });
    const amount = field('amount');
    expect(amount.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(amount.getAttribute('aria-describedby')!)?.textContent).toBe('This is not a number.');
    await userEvent.click(button('Allow edited'));
    expect(asked.kit.decisions).toEqual([]);
  });

  it('ties what the tool says against it to the fields, and puts the focus on the first of them', async () => {
    const asked = await editing();
    asked.kit.refuse({
      applied: false,
      why: 'invalid_input',
      issues: [
        { path: ['amount'], message: 'must be at most 30' },
        { path: ['address', 'city'], message: 'is unknown' },
      ],
    });
    fireEvent.change(field('amount'), { target: { value: '39' } });
    await send();
    await waitFor(() => expect(document.activeElement).toBe(field('amount')));
    const told = (name: RegExp): string | undefined => {
      const ids = field(name).getAttribute('aria-describedby')?.split(' ') ?? [];
      return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
    };
    expect(told(/^amount/)).toContain('must be at most 30');
    expect(told(/^city/)).toContain('is unknown');
    expect(within(dialog()).getByRole('alert').textContent).toContain('2 problems to fix');
  });

  it('never shows a secret, keeps it untouched, and puts another in its place', async () => {
    const asked = await editing({ to: 'A', amount: 1, apiKey: 'sk-secret' });
    const key = field(/^apiKey/) as HTMLInputElement;
    expect(key.value).toBe('');
    expect(dialog().innerHTML).not.toContain('sk-secret');
    await userEvent.type(field('to'), 'B');
    await send();
    expect(sent(asked)).toEqual({ to: 'AB', amount: 1, apiKey: 'sk-secret' });
    cleanup();
    const other = await editing({ to: 'A', amount: 1, apiKey: 'sk-secret' });
    await userEvent.type(field(/^apiKey/), 'sk-new');
    expect([...dialog().querySelectorAll('ins')].map(({ textContent }) => textContent)).toEqual(['••••••••']);
    await send();
    expect(sent(other)).toEqual({ to: 'A', amount: 1, apiKey: 'sk-new' });
  });

  it('and JSON are two views of one text', async () => {
    const asked = await editing();
    fireEvent.change(field('amount'), { target: { value: '41' } });
    await userEvent.click(button('JSON'));
    const json = field('Input as JSON') as HTMLTextAreaElement;
    expect(JSON.parse(json.value)).toEqual({ to: 'ACME', amount: 41 });
    fireEvent.change(json, { target: { value: '{"to":"X","amount":41,"tags":["a"]}' } });
    await userEvent.click(button('Form'));
    expect((field('to') as HTMLInputElement).value).toBe('X');
    expect(JSON.parse((field(/^tags/) as HTMLTextAreaElement).value)).toEqual(['a']);
    await send();
    expect(sent(asked)).toEqual({ to: 'X', amount: 41, tags: ['a'] });
  });

  it('gives the result by the tool’s output schema', async () => {
    const { kit } = await editing();
    await userEvent.click(button('Give the result yourself'));
    await userEvent.type(field('id'), 't-9');
    await send('Use this result');
    expect(kit.decisions[0]?.decision).toEqual({ kind: 'answer', output: { id: 't-9' }, reason: undefined });
  });
});
