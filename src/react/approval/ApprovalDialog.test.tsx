// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testGuard } from '../../testing/test-guard.ts';
import { germanLabels } from '../labels-de.ts';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { ApprovalDialog, type ApprovalDialogProps } from './ApprovalDialog.tsx';
import { review } from './approval-ui.ts';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const SOURCE = 'const late = [];\nfor (const o of late) {\n  await tools.payments.refund({ orderId: o.id });\n}\n';

interface Asked {
  readonly kit: TestKit;
  readonly runId: string;
  readonly callId: string;
}

function asked(
  input: unknown = { orderId: 10482, amount: '120.00' },
  ask: Parameters<TestKit['ask']>[1] = {},
  props: Partial<ApprovalDialogProps> = {},
): Asked {
  const kit = createTestKit();
  render(<ApprovalDialog session={kit.session} guard={testGuard()} {...props} />);
  const runId = inAct(() => kit.run(SOURCE));
  const callId = inAct(() => askFor(kit, runId, input, ask));
  return { kit, runId, callId };
}

function askFor(kit: TestKit, runId: string, input: unknown, ask: Parameters<TestKit['ask']>[1] = {}): string {
  const callId = kit.request(runId, 'payments.refund', input, { line: 3, intent: 'refund what is late' });
  kit.ask(callId, { question: 'Refund 120.00 EUR to order #10482?', ...ask });
  return callId;
}

const dialog = (): HTMLElement => screen.getByRole('alertdialog');
const button = (name: string | RegExp): HTMLElement => within(dialog()).getByRole('button', { name });
const ready = (name: string | RegExp): Promise<void> =>
  waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBe('false'));

async function editAsJson(): Promise<void> {
  await userEvent.click(button('Edit'));
  await userEvent.click(button('JSON'));
}

describe('what is shown', () => {
  it('is nothing while nothing waits', () => {
    const kit = createTestKit();
    render(<ApprovalDialog session={kit.session} />);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('quotes what a tool says of itself, cut where it is long, only where the application has no words for its calls', async () => {
    const facts = { title: '', description: `Moves <b>money</b>\u202e. ${'x'.repeat(400)}`, inputJsonSchema: {} };
    const first = createTestKit();
    first.facts('payments.refund', { ...facts, worded: false });
    render(<ApprovalDialog session={first.session} guard={testGuard()} />);
    inAct(() => void askFor(first, first.run(SOURCE), {}));
    const words = dialog().querySelector('[data-part="tool-words"]')!;
    expect(words.textContent).toMatch(/^The tool says of itselfMoves <b>money<\/b>.*U\+202E.*x…$/);
    expect(words.textContent.length).toBeLessThan(330);
    cleanup();
    const second = createTestKit();
    second.facts('payments.refund', { ...facts, worded: true });
    render(<ApprovalDialog session={second.session} guard={testGuard()} />);
    inAct(() => void askFor(second, second.run(SOURCE), {}));
    expect(dialog().querySelector('[data-part="tool-words"]')).toBeNull();
  });

  it('asks in the application’s words, with tool, risk, input, program line and the assistant’s words as a quotation', async () => {
    asked();
    expect(dialog().getAttribute('aria-labelledby')).toBe(within(dialog()).getByText('payments.refund').closest('p')!.id);
    const question = within(dialog()).getByRole('heading', { name: 'Refund 120.00 EUR to order #10482?' });
    expect(dialog().getAttribute('aria-describedby')).toBe(question.id);
    expect(within(dialog()).getByText('write')).toBeTruthy();
    await within(dialog()).findByText('10482');
    expect(dialog().querySelector('[data-marked]')?.getAttribute('data-line')).toBe('3');
    expect(dialog().querySelector('figure')?.textContent).toContain('The assistant says');
    expect(dialog().querySelector('blockquote')?.textContent).toBe('refund what is late');
  });

  it('puts the first focus on the question, never on a button', () => {
    asked();
    expect(document.activeElement?.tagName).toBe('H2');
  });

  it('is text only: markup in a question, an input or an intent stays text', async () => {
    asked(
      { note: '<img src=x onerror=alert(1)><a href="https://evil.example">click</a>' },
      { question: '<b>Pay</b> [link](https://evil.example)' },
    );
    await within(dialog()).findByText(/onerror=alert/);
    expect(dialog().querySelector('img, a, b')).toBeNull();
    expect(dialog().querySelector('h2')?.textContent).toBe('<b>Pay</b> [link](https://evil.example)');
  });

  it('shows invisible characters and warns about look-alikes', async () => {
    asked({ to: 'аdmin@example.com', note: 'pay \u202Emoc.elpmaxe' });
    expect(await within(dialog()).findByText('U+202E')).toBeTruthy();
    expect(within(dialog()).getByText(/look-alikes \(Cyrillic\)/)).toBeTruthy();
  });

  it('masks a secret where the program spells it out, too', async () => {
    const kit = createTestKit();
    render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
    act(() => {
      const call = kit.request(kit.run("login({ password: 'hunter2' });"), 'login', { password: 'hunter2' }, { line: 1 });
      kit.ask(call, { question: 'Log in?' });
    });
    await within(dialog()).findByText(/masked, 7 characters/);
    expect(dialog().textContent).not.toContain('hunter2');
  });

  it('masks secrets by key and by schema until asked to show them', async () => {
    const kit = createTestKit();
    kit.facts('payments.refund', {
      title: 't',
      description: '',
      inputJsonSchema: { properties: { iban: { 'x-sensitive': true } } },
    });
    render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
    act(() => void askFor(kit, kit.run(SOURCE), { password: 'hunter2', iban: 'DE00 1234' }));
    await within(dialog()).findByText(/masked, 7 characters/);
    expect(dialog().textContent).not.toMatch(/hunter2|1234/);
    await userEvent.click(button('Show iban'));
    expect(dialog().textContent).toContain('DE00 1234');
    expect(dialog().textContent).not.toContain('hunter2');
  });

  it('speaks German with German labels', async () => {
    const { kit } = asked(undefined, {}, { labels: germanLabels });
    await ready('Einmal erlauben');
    await userEvent.click(button('Einmal erlauben'));
    expect(kit.decisions).toHaveLength(1);
  });
});

describe('a decision', () => {
  it('allows once, bound to the input that was shown', async () => {
    const { kit, callId } = asked();
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toEqual([
      {
        callId,
        decision: {
          kind: 'allow',
          scope: 'once',
          match: undefined,
          inputDigest: 'digest of {"orderId":10482,"amount":"120.00"}',
        },
      },
    ]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('allows the tool for the rest of the run, and says so before', async () => {
    const { kit } = asked();
    await ready('Allow once');
    await userEvent.selectOptions(within(dialog()).getByRole('combobox'), 'run:tool');
    expect(
      within(dialog()).getByText(/Will run without asking: payments.refund with any input, for the rest of this run/),
    ).toBeTruthy();
    await userEvent.click(button('Allow for run'));
    expect(kit.decisions[0]?.decision).toMatchObject({ kind: 'allow', scope: 'run', match: 'tool' });
  });

  it('denies with a reason', async () => {
    const { kit } = asked();
    await userEvent.click(button('Deny…'));
    await userEvent.type(within(dialog()).getByLabelText(/Reason/), 'wrong order');
    await ready('Deny');
    await userEvent.click(button('Deny'));
    expect(kit.decisions[0]?.decision).toEqual({ kind: 'deny', reason: 'wrong order' });
  });

  it('is not made by the Enter that ends an input method’s composition', async () => {
    const { kit } = asked();
    await userEvent.click(button('Deny…'));
    const field = within(dialog()).getByLabelText(/Reason/);
    await ready('Deny');
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(kit.decisions).toEqual([]);
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    expect(dialog()).toBeTruthy();
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(kit.decisions).toHaveLength(1));
  });

  it('stops the run', async () => {
    const { kit, runId } = asked();
    await ready('Stop run');
    await userEvent.click(button('Stop run'));
    expect(kit.session.store.getState().runs[runId]?.status).toBe('cancelled');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('that comes too late says so and changes nothing', async () => {
    const { kit } = asked();
    kit.refuse({ applied: false, why: 'already_decided' });
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    await waitFor(() =>
      expect(within(dialog()).getByRole('status').textContent).toBe('This call was already decided. Nothing was changed.'),
    );
  });

  it('does not count twice when it is clicked twice', async () => {
    const { kit } = asked();
    await ready('Allow once');
    const allow = button('Allow once');
    await userEvent.dblClick(allow);
    expect(kit.decisions).toHaveLength(1);
  });

  it('on a call whose run ended meanwhile is not possible: the dialog says so and closes on request', async () => {
    const { kit, runId } = asked();
    act(() => kit.cancelRun(runId));
    expect(within(dialog()).getByText('This call has already ended. Nothing was changed.')).toBeTruthy();
    expect(within(dialog()).queryByRole('button', { name: 'Allow once' })).toBeNull();
    await userEvent.click(button('Close'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(kit.decisions).toEqual([]);
  });
});

describe('what must be seen before', () => {
  const long = 'x'.repeat(500);

  it('blocks Allow until every collapsed field was opened', async () => {
    const { kit } = asked({ body: long, list: Array.from({ length: 30 }, (_, at) => at) });
    await within(dialog()).findByText('Open 2 collapsed fields before allowing.');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toEqual([]);
    await userEvent.click(button('Open body'));
    await userEvent.click(button('Open list'));
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toHaveLength(1);
  });

  it('states the size', async () => {
    asked({ body: long });
    expect(await within(dialog()).findByText('504 characters, 1 field collapsed')).toBeTruthy();
  });

  it('blocks Allow when the input cannot be read', async () => {
    const kit = createTestKit();
    kit.session.readValue = async () => {
      throw new Error('gone');
    };
    render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
    act(() => void askFor(kit, kit.run(SOURCE), {}));
    expect((await within(dialog()).findAllByText(/cannot be shown, so it cannot be allowed/)).length).toBeGreaterThan(0);
    await ready('Stop run');
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
  });
});

describe('editing', () => {
  it('lists the changes and allows the edited input', async () => {
    const { kit } = asked();
    await within(dialog()).findByText('10482');
    await editAsJson();
    const field = within(dialog()).getByLabelText('Input as JSON') as HTMLTextAreaElement;
    expect(JSON.parse(field.value)).toEqual({ orderId: 10482, amount: '120.00' });
    expect(button('Allow edited').getAttribute('aria-disabled')).toBe('true');
    await userEvent.clear(field);
    await userEvent.paste('{"orderId": 10482, "amount": "20.00"}');
    expect(within(dialog()).getByText('1 change')).toBeTruthy();
    await ready('Allow edited');
    await userEvent.click(button('Allow edited'));
    expect(kit.decisions[0]?.decision).toMatchObject({
      kind: 'allow',
      scope: 'once',
      input: { orderId: 10482, amount: '20.00' },
    });
  });

  it('ties problems to the field and keeps the text', async () => {
    const { kit } = asked();
    kit.refuse({ applied: false, why: 'invalid_input', issues: [{ path: ['amount'], message: 'must be at most 50' }] });
    await within(dialog()).findByText('10482');
    await editAsJson();
    const field = within(dialog()).getByLabelText('Input as JSON') as HTMLTextAreaElement;
    await userEvent.clear(field);
    await userEvent.paste('{"orderId":1,"amount":"99"}');
    await ready('Allow edited');
    await userEvent.click(button('Allow edited'));
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    const described = field
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '');
    expect(described.join(' ')).toContain('amount must be at most 50');
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('{"orderId":1,"amount":"99"}');
  });

  it('says what is wrong with text that is no JSON and does not send it', async () => {
    const { kit } = asked();
    await within(dialog()).findByText('10482');
    await editAsJson();
    await userEvent.type(within(dialog()).getByLabelText('Input as JSON'), ' nonsense');
    expect(within(dialog()).getByText(/This is not JSON yet/)).toBeTruthy();
    await userEvent.click(button('Allow edited'));
    expect(kit.decisions).toEqual([]);
  });

  it('keeps secrets hidden and sends them unchanged', async () => {
    const { kit } = asked({ password: 'hunter2', to: 'a' });
    await within(dialog()).findByText(/masked/);
    await editAsJson();
    const field = within(dialog()).getByLabelText('Input as JSON') as HTMLTextAreaElement;
    expect(field.value).not.toContain('hunter2');
    const changed = field.value.replace('"a"', '"b"');
    await userEvent.clear(field);
    await userEvent.paste(changed);
    await ready('Allow edited');
    await userEvent.click(button('Allow edited'));
    expect(kit.decisions[0]?.decision).toMatchObject({ input: { password: 'hunter2', to: 'b' } });
  });

  it('lets a person give the result instead', async () => {
    const { kit } = asked();
    await within(dialog()).findByText('10482');
    await userEvent.click(button('Edit'));
    await userEvent.click(button('Give the result yourself'));
    const field = within(dialog()).getByLabelText('Result as JSON');
    await userEvent.clear(field);
    await userEvent.paste('{"ok":true}');
    await ready('Use this result');
    await userEvent.click(button('Use this result'));
    expect(kit.decisions[0]?.decision).toEqual({ kind: 'answer', output: { ok: true }, reason: undefined });
  });
});

describe('a dangerous call', () => {
  it('is not allowed by a click: it must be held', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const { kit } = asked(undefined, { risk: 'danger' });
      const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
      await vi.advanceTimersByTimeAsync(100);
      const hold = button('Hold to allow');
      await waitFor(() => expect(hold.getAttribute('aria-disabled')).toBe('false'));
      await user.click(hold);
      expect(kit.decisions).toEqual([]);
      await user.pointer({ keys: '[MouseLeft>]', target: hold });
      await vi.advanceTimersByTimeAsync(1_100);
      expect(kit.decisions).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(kit.decisions).toMatchObject([{ decision: { kind: 'allow', scope: 'once' } }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is allowed by typing its name', async () => {
    const { kit } = asked(undefined, { risk: 'danger' });
    await within(dialog()).findByText('10482');
    await userEvent.click(button('Type instead of holding'));
    const field = within(dialog()).getByLabelText('Type payments.refund to allow');
    await userEvent.type(field, 'payments.refun');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toEqual([]);
    await userEvent.type(field, 'd');
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toHaveLength(1);
  });

  it('is allowed by Enter in that field, once and by a key that was not held: never by a submitted form', async () => {
    const { kit } = asked(undefined, { risk: 'danger' });
    await within(dialog()).findByText('10482');
    await userEvent.click(button('Type instead of holding'));
    const field = within(dialog()).getByLabelText('Type payments.refund to allow');
    await userEvent.type(field, 'payments.refund');
    await ready('Allow once');
    act(() => field.closest('form')!.requestSubmit());
    fireEvent.keyDown(field, { key: 'Enter', repeat: true });
    expect(kit.decisions).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(kit.decisions).toHaveLength(1));
  });

  it('offers no scope', () => {
    asked(undefined, { risk: 'danger' });
    expect(within(dialog()).queryByRole('combobox')).toBeNull();
  });
});

describe('the queue', () => {
  function three(): Asked & { readonly ids: readonly string[] } {
    const first = asked();
    const ids = inAct(() => [
      first.callId,
      askFor(first.kit, first.runId, { orderId: 2 }, { question: 'Refund order #2?' }),
      askFor(first.kit, first.runId, { orderId: 3 }, { question: 'Refund order #3?', risk: 'danger' }),
    ]);
    return { ...first, ids };
  }

  it('shows the first that asked and its place, then the next', async () => {
    three();
    expect(button('1 of 3')).toBeTruthy();
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(within(dialog()).getByRole('heading', { name: 'Refund order #2?' })).toBe(document.activeElement);
    expect(button('1 of 2')).toBeTruthy();
  });

  it('allows all shown but the dangerous ones, each with its own digest', async () => {
    const { kit, ids } = three();
    await userEvent.click(button('1 of 3'));
    expect(within(dialog()).getByRole('list').children).toHaveLength(3);
    await ready('Allow all 2 shown');
    await userEvent.click(button('Allow all 2 shown'));
    expect(kit.decisions.map(({ callId }) => callId)).toEqual(ids.slice(0, 2));
    expect(new Set(kit.decisions.map(({ decision }) => (decision as { inputDigest?: string }).inputDigest)).size).toBe(2);
    expect(within(dialog()).getByRole('heading', { name: 'Refund order #3?' })).toBeTruthy();
  });

  it('waits again when a call joins while the list is shown: a click on its way never allows what was not there', async () => {
    const { kit, runId } = three();
    await userEvent.click(button('1 of 3'));
    await ready('Allow all 2 shown');
    act(() => void askFor(kit, runId, { orderId: 4 }, { question: 'Refund order #4?' }));
    expect(button('Allow all 3 shown').getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button('Allow all 3 shown'));
    expect(kit.decisions).toEqual([]);
    await ready('Allow all 3 shown');
    await userEvent.click(button('Allow all 3 shown'));
    expect(kit.decisions).toHaveLength(3);
  });

  it('denies all', async () => {
    const { kit } = three();
    await userEvent.click(button('1 of 3'));
    await ready('Deny all 3');
    await userEvent.click(button('Deny all 3'));
    expect(kit.session.store.getState().pending).toEqual([]);
  });

  it('goes to the one that was picked', async () => {
    three();
    await userEvent.click(button('1 of 3'));
    await userEvent.click(button(/Refund order #2/));
    expect(within(dialog()).getByRole('heading', { name: 'Refund order #2?' })).toBeTruthy();
    expect(button('2 of 3')).toBeTruthy();
  });

  it('counts identical calls', () => {
    const { kit, runId } = asked();
    act(() => void askFor(kit, runId, { orderId: 10482, amount: '120.00' }));
    expect(within(dialog()).getByText('2 identical calls wait.')).toBeTruthy();
  });
});

describe('later', () => {
  it('Escape shrinks the dialog to the bar; the call stays pending; Review brings it back', async () => {
    const { kit, callId } = asked();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(kit.session.store.getState().pending).toEqual([callId]);
    expect(kit.decisions).toEqual([]);
    expect(screen.getByRole('status').textContent).toBe('1 call waits for your approval');
    await userEvent.click(screen.getByRole('button', { name: 'Review' }));
    expect(dialog()).toBeTruthy();
  });

  it('the same question begins a new period when it comes back', async () => {
    asked(undefined, {}, { guard: { ...testGuard(), periodMs: 60 } });
    await ready('Allow once');
    await userEvent.keyboard('{Escape}');
    fireEvent.click(screen.getByRole('button', { name: 'Review' }));
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
    await ready('Allow once');
  });

  it('stays small when another call asks', async () => {
    const { kit, runId } = asked();
    await userEvent.keyboard('{Escape}');
    act(() => void askFor(kit, runId, { orderId: 2 }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole('status').textContent).toBe('2 calls wait for your approval');
  });

  it('is forgotten when nothing waits any more', async () => {
    const { kit, runId, callId } = asked();
    await userEvent.keyboard('{Escape}');
    await act(async () => void (await kit.session.decide(callId, { kind: 'deny' })));
    act(() => void askFor(kit, runId, { orderId: 2 }));
    expect(dialog()).toBeTruthy();
  });
});

describe('a person who types elsewhere', () => {
  it('gets the bar first and the dialog when typing stops; the text is kept', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const kit = createTestKit();
      render(
        <>
          <textarea aria-label="message" />
          <ApprovalDialog session={kit.session} guard={testGuard()} />
        </>,
      );
      const field = screen.getByLabelText('message') as HTMLTextAreaElement;
      await userEvent.type(field, 'half a sen', { advanceTimers: vi.advanceTimersByTime });
      act(() => void askFor(kit, kit.run(SOURCE), {}));
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(screen.getByText('Opens when you stop typing')).toBeTruthy();
      expect(document.activeElement).toBe(field);
      await act(() => vi.advanceTimersByTimeAsync(900));
      expect(dialog()).toBeTruthy();
      expect(field.value).toBe('half a sen');
      await userEvent.keyboard('{Escape}', { advanceTimers: vi.advanceTimersByTime });
      expect(document.activeElement).toBe(field);
      expect(field.selectionStart).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('lifetime', () => {
  it('survives StrictMode and an unmount: nothing lost, nothing asked twice', async () => {
    const kit = createTestKit();
    const callId = askFor(kit, kit.run(SOURCE), {});
    const view = render(
      <StrictMode>
        <ApprovalDialog session={kit.session} guard={testGuard()} />
      </StrictMode>,
    );
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
    view.unmount();
    expect(kit.session.store.getState().pending).toEqual([callId]);
    render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
    await ready('Allow once');
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toHaveLength(1);
  });

  it('asks once when two dialogs are mounted for one session', () => {
    const kit = createTestKit();
    render(
      <>
        <ApprovalDialog session={kit.session} />
        <ApprovalDialog session={kit.session} />
      </>,
    );
    act(() => void askFor(kit, kit.run(SOURCE), {}));
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
  });

  it('gives the focus to the run’s row when its old place is gone', async () => {
    const kit = createTestKit();
    const view = (withButton: boolean) => (
      <>
        {withButton && <button>Send</button>}
        <div tabIndex={-1} data-cm-run="run-1" data-testid="row" />
        <ApprovalDialog session={kit.session} guard={testGuard()} />
      </>
    );
    const { rerender } = render(view(true));
    screen.getByText('Send').focus();
    act(() => void askFor(kit, kit.run(SOURCE, { id: 'run-1' }), {}));
    rerender(view(false));
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByTestId('row'));
  });

  it('refuses the guard of tests in a production build', () => {
    const kit = createTestKit();
    const guard = testGuard();
    vi.stubEnv('NODE_ENV', 'production');
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => render(<ApprovalDialog session={kit.session} guard={guard} />)).toThrow('production build');
    vi.unstubAllEnvs();
  });

  it('ignores synthetic clicks without the guard of tests', async () => {
    const kit = createTestKit();
    render(<ApprovalDialog session={kit.session} guardMs={0} />);
    act(() => void askFor(kit, kit.run(SOURCE), {}));
    await ready('Allow once');
    button('Allow once').click();
    await userEvent.click(button('Allow once'));
    expect(kit.decisions).toEqual([]);
    act(() => review(kit.session));
  });
});
