// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApprovalDialog } from '../approval/ApprovalDialog.tsx';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { CodeModeRun } from './CodeModeRun.tsx';
import { exportRun } from './export-run.ts';
import { TracePanel } from './TracePanel.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const SOURCE =
  'const [a, b] = await Promise.all([\n  tools.orders.list({ page: 1 }),\n  tools.customers.get({ id: 7 }),\n]);\nreturn a;\n';

function filled(): { kit: TestKit; run: string } {
  const kit = createTestKit();
  const run = kit.run(SOURCE, { title: 'Late orders' });
  const a = kit.request(run, 'orders.list', { page: 1 }, { group: 1, line: 2 });
  const b = kit.request(run, 'customers.get', { id: 7, apiKey: 'sk-secret' }, { group: 1, line: 3 });
  kit.start(a);
  kit.start(b);
  kit.pass(120);
  kit.succeed(b, { name: 'Example Ltd' });
  kit.pass(280);
  kit.succeed(
    a,
    Array.from({ length: 100 }, (_, id) => ({ id })),
  );
  kit.log(run, '3 late orders', 'log', 4);
  return { kit, run };
}

const tree = (): HTMLElement => screen.getByRole('tree');
const rows = (): HTMLElement[] => within(tree()).getAllByRole('treeitem');
const names = (): string[] => rows().map((row) => row.getAttribute('aria-label') ?? '');
const rowOf = (name: RegExp): HTMLElement => within(tree()).getByRole('treeitem', { name });

describe('the panel', () => {
  it('says what to try while nothing has run', () => {
    render(<TracePanel session={createTestKit().session} />);
    expect(screen.getByText('Nothing has run yet.')).toBeTruthy();
    expect(screen.getByText(/Run a program, or ask the assistant/)).toBeTruthy();
  });

  it('names each row with its tool, status, values, line and time', async () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    await screen.findByText('100 rows', { exact: false });
    expect(names()).toEqual([
      expect.stringMatching(/^Late orders, running, /),
      'Promise.all ×2, line 2, 0.40 s',
      'orders.list, succeeded, { page: 1 }, 100 rows, line 2, 0.40 s',
      'customers.get, succeeded, { id: 7, apiKey: •••••••• }, { name: "Example Ltd" }, line 3, 0.12 s',
      'console, 3 late orders, line 4',
    ]);
  });

  it('is live: a new call, its progress and its end show up', async () => {
    const { kit, run } = filled();
    render(<TracePanel session={kit.session} />);
    const id = inAct(() => kit.request(run, 'reports.build', {}, { line: 5 }));
    expect(rowOf(/reports.build, queued/)).toBeTruthy();
    inAct(() => (kit.start(id), kit.progress(id, 42, 100, 'pages')));
    expect(rowOf(/reports.build, running, pages, 42 of 100/)).toBeTruthy();
    inAct(() => kit.fail(id, 'no paper'));
    expect(rowOf(/reports.build, failed, no paper/)).toBeTruthy();
  });

  it('shows text only, whatever a program prints', () => {
    const { kit, run } = filled();
    kit.log(run, '<img src=x onerror=alert(1)>\u202E');
    render(<TracePanel session={kit.session} />);
    expect(tree().querySelector('img')).toBeNull();
    expect(rowOf(/<img src=x onerror=alert\(1\)>\[U\+202E\]/)).toBeTruthy();
  });

  it('shows the budgets of the run', () => {
    const { kit, run } = filled();
    inAct(() => kit.stats(run, 312, 18 * 1_048_576));
    render(<TracePanel session={kit.session} />);
    const header = document.querySelector('[data-part="header"]')!;
    expect(header.textContent).toMatch(/compute 0.3 \/ 30 s/);
    expect(header.textContent).toMatch(/memory 18 \/ 128 MiB/);
    expect(header.textContent).toMatch(/calls 2 \/ 1,000/);
    expect(header.textContent).toMatch(/kept out of the model 1 kB/);
  });

  it('lights the line of an open call and marks only one run when asked for one', () => {
    const { kit, run } = filled();
    kit.start(kit.request(run, 'orders.get', {}, { line: 5 }));
    const other = kit.run('other', { title: 'Other' });
    kit.complete(other);
    render(<TracePanel session={kit.session} run={run} />);
    expect(document.querySelector('.cm-listing [data-marked]')?.getAttribute('data-line')).toBe('5');
    expect(names().join()).not.toContain('Other');
  });
});

describe('the tree', () => {
  it('tells level, position, size and open state', () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    const attributes = (row: HTMLElement): (string | null)[] =>
      ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => row.getAttribute(name));
    expect(rows().map(attributes)).toEqual([
      ['1', '1', '1', 'true'],
      ['2', '1', '2', 'true'],
      ['3', '1', '2', null],
      ['3', '2', '2', null],
      ['2', '2', '2', null],
    ]);
  });

  it('has one tab stop that arrows, Home, End and letters move', () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    expect(rows().map((row) => row.tabIndex)).toEqual([0, -1, -1, -1, -1]);
    rows()[0]!.focus();
    const press = (key: string): string => {
      fireEvent.keyDown(document.activeElement!, { key });
      return document.activeElement!.getAttribute('aria-label')!.split(',')[0]!;
    };
    expect(press('ArrowDown')).toBe('Promise.all ×2');
    expect(press('End')).toBe('console');
    expect(press('ArrowUp')).toBe('customers.get');
    expect(press('ArrowLeft')).toBe('Promise.all ×2');
    expect(press('ArrowLeft')).toBe('Promise.all ×2');
    expect(rows()).toHaveLength(3);
    expect(press('ArrowRight')).toBe('Promise.all ×2');
    expect(press('ArrowRight')).toBe('orders.list');
    expect(press('Home')).toBe('Late orders');
    expect(press('c')).toBe('customers.get');
    expect(rows().filter((row) => row.tabIndex === 0)).toHaveLength(1);
  });

  it('mirrors left and right in a right-to-left page', () => {
    const { kit } = filled();
    render(
      <div dir="rtl" style={{ direction: 'rtl' }}>
        <TracePanel session={kit.session} />
      </div>,
    );
    rows()[0]!.focus();
    fireEvent.keyDown(rows()[0]!, { key: 'ArrowRight' });
    expect(rows()).toHaveLength(1);
    fireEvent.keyDown(rows()[0]!, { key: 'ArrowLeft' });
    expect(rows()).toHaveLength(5);
  });

  it('opens all closed siblings with the asterisk', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    for (const tool of ['a', 'b'])
      for (let at = 0; at < 4; at += 1) {
        const id = kit.request(run, tool, {});
        kit.start(id);
        kit.succeed(id, 1);
      }
    render(<TracePanel session={kit.session} />);
    expect(rows()).toHaveLength(3);
    inAct(() => rows()[1]!.focus());
    fireEvent.keyDown(rows()[1]!, { key: '*' });
    expect(rows()).toHaveLength(11);
  });

  it('renders only rows in sight of ten thousand, and keeps the one with the focus', () => {
    const kit = createTestKit();
    const run = kit.run('x');
    kit.batch(() => {
      for (let at = 0; at < 10_000; at += 1) kit.log(run, `line ${at}`);
    });
    render(<TracePanel session={kit.session} />);
    expect(rows().length).toBeLessThan(80);
    expect(rows()[1]!.getAttribute('aria-setsize')).toBe('10000');
    rows()[3]!.focus();
    expect(document.activeElement).toBe(rows()[3]);
  });
});

describe('search, filter and failures', () => {
  it('narrow the rows, and one button brings them back', async () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    await userEvent.type(screen.getByRole('searchbox'), 'customers');
    expect(names().map((name) => name.split(',')[0])).toEqual(['Late orders', 'Promise.all ×2', 'customers.get']);
    await userEvent.type(screen.getByRole('searchbox'), ' nowhere');
    expect(screen.getByText('No row matches.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show all rows' }));
    expect(rows()).toHaveLength(5);
  });

  it('narrow by the tool as well', async () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'customers.get');
    expect(names().map((name) => name.split(',')[0])).toEqual(['Late orders', 'Promise.all ×2', 'customers.get']);
  });

  it('next failure opens what the failure is in, and drops a filter that hides it', async () => {
    const kit = createTestKit();
    const run = kit.run('x');
    for (let at = 0; at < 20; at += 1) {
      const id = kit.request(run, `t${at}`, {}, { group: 1 });
      if (at !== 15) kit.start(id);
      if (at === 15) kit.fail(id, 'no');
      else kit.succeed(id, 1);
    }
    render(<TracePanel session={kit.session} />);
    expect(rows()).toHaveLength(2);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'succeeded');
    await userEvent.click(screen.getByRole('button', { name: 'Next failure (1)' }));
    expect(rowOf(/^t15, failed/).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' }).value).toBe('all');
  });

  it('next failure goes from one to the next and round again', async () => {
    const { kit, run } = filled();
    kit.fail(kit.request(run, 'one', {}), 'first');
    kit.fail(kit.request(run, 'two', {}), 'second');
    render(<TracePanel session={kit.session} />);
    const next = screen.getByRole('button', { name: 'Next failure (2)' });
    const selected = (): string | undefined =>
      rows()
        .find((row) => row.getAttribute('aria-selected') === 'true')
        ?.getAttribute('aria-label')
        ?.split(',')[0];
    await userEvent.click(next);
    expect(selected()).toBe('one');
    await userEvent.click(next);
    expect(selected()).toBe('two');
    await userEvent.click(next);
    expect(selected()).toBe('one');
  });
});

describe('states that a person must know of', () => {
  it('are said of the panel: another tab owns the session, records are gone', () => {
    const { kit } = filled();
    kit.ownership('viewer');
    kit.emit('journal.damaged', { reason: 'x', fromSeq: 3, lost: 2 });
    kit.emit('journal.trimmed', { runIds: [], runs: 4, ranges: [] });
    const { container } = render(<TracePanel session={kit.session} />);
    const notes = container.querySelector('[data-part="notes"]')!.textContent;
    expect(notes).toContain('Open in another tab');
    expect(notes).toContain('2 records set aside');
    expect(notes).toContain('4 older runs were removed');
  });

  it('are said of the run and its calls in words', async () => {
    const { kit, run } = filled();
    const call = (tool: string): string => kit.request(run, tool, {}, { line: 5 });
    const stub = call('stub');
    kit.emit('tool_call.succeeded', { callId: stub, output: { inline: '1' }, outputBytes: 1, simulated: true }, run);
    kit.emit('tool_call.replayed', { callId: call('again') }, run);
    kit.emit('tool_call.interrupted', { callId: call('lost') }, run);
    const later = call('later');
    kit.start(later);
    kit.emit('tool_call.deferred', { callId: later, token: 't' }, run);
    const ruled = call('ruled');
    kit.emit('policy.evaluated', { callId: ruled, effect: 'deny', by: 'rule', rule: 'no mail', reason: 'at night' }, run);
    render(<TracePanel session={kit.session} />);
    for (const name of [/^stub, simulated/, /^again, replayed/, /^lost, interrupted/, /^later, running, result comes later/])
      expect(rowOf(name)).toBeTruthy();
    await userEvent.click(rowOf(/^ruled/));
    expect(screen.getByRole('region', { name: 'Details' }).textContent).toContain('by a rule · no mail · at night');
  });

  it('include a program that waits as a whole', async () => {
    const kit = createTestKit();
    const tools = [{ tool: 'pay', title: 'Pay', risk: 'danger', definitionHash: 'h', sites: [], askedAnyway: true }] as const;
    kit.plan('await tools.pay({})', { tools }, { title: 'Pays' });
    render(
      <>
        <TracePanel session={kit.session} />
        <ApprovalDialog session={kit.session} />
      </>,
    );
    expect(names().some((name) => /waiting for you, pay/.test(name))).toBe(true);
    expect(document.querySelector('.cm-row[data-kind="plan"] button.cm-row-review')).toBeTruthy();
  });
});

describe('a line of the program', () => {
  it('goes to its rows, one after another, and a row to its line', async () => {
    const kit = createTestKit();
    const run = kit.run('for (const x of [1, 2])\n  await tools.get({ x });\n');
    for (const x of [1, 2]) {
      const id = kit.request(run, 'get', { x }, { line: 2 });
      kit.start(id);
      kit.succeed(id, x);
    }
    render(<TracePanel session={kit.session} />);
    const number = document.querySelector<HTMLElement>('.cm-listing [data-line="2"] button')!;
    const selected = (): (string | null)[] =>
      rows()
        .filter((row) => row.getAttribute('aria-selected') === 'true')
        .map((row) => row.getAttribute('aria-label'));
    await userEvent.click(number);
    expect(selected()[0]).toContain('{ x: 1 }');
    expect(document.querySelector('.cm-listing [data-marked]')?.getAttribute('data-line')).toBe('2');
    await userEvent.click(number);
    expect(selected()[0]).toContain('{ x: 2 }');
    await userEvent.click(number);
    expect(selected()[0]).toContain('{ x: 1 }');
    fireEvent.pointerEnter(rows()[1]!);
    expect(document.querySelector('.cm-listing [data-linked]')?.getAttribute('data-line')).toBe('2');
  });
});

describe('details', () => {
  it('show input, output, times and masked secrets of a call', async () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    await userEvent.click(rowOf(/customers.get/));
    const details = screen.getByRole('region', { name: 'Details' });
    await within(details).findByText('Example Ltd');
    expect(within(details).getByText(/masked, 9 characters/)).toBeTruthy();
    expect(details.querySelector('[data-part="times"]')?.textContent).toBe('queue0 msapproval0 mshandler0.12 stransfer0 ms');
    await userEvent.click(within(details).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull();
  });

  it('copy a call as JSON without its secrets', async () => {
    const { kit } = filled();
    const user = userEvent.setup();
    render(<TracePanel session={kit.session} />);
    await user.click(rowOf(/customers.get/));
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await screen.findByText('Copied');
    const text = written.mock.calls[0]![0];
    expect(JSON.parse(text)).toMatchObject({ tool: 'customers.get', input: { id: 7 }, output: { name: 'Example Ltd' } });
    expect(text).not.toContain('sk-secret');
  });
});

describe('exportRun', () => {
  it('gives the run with its calls and lines, masked by the tools and by names unless asked otherwise', async () => {
    const { kit, run } = filled();
    kit.facts('customers.get', {
      title: '',
      description: '',
      inputJsonSchema: {},
      outputJsonSchema: { properties: { name: { 'x-sensitive': true } } },
    });
    const masked = JSON.stringify(await exportRun(kit.session, run));
    expect(masked).not.toContain('Example Ltd');
    expect(masked).toContain('customers.get');
    expect(masked).toContain('3 late orders');
    expect(masked).not.toContain('sk-secret');
    expect(JSON.stringify(await exportRun(kit.session, run, { mask: false }))).toContain('sk-secret');
  });

  it('says which runs there are when the id is wrong', async () => {
    await expect(exportRun(createTestKit().session, 'nope')).rejects.toThrow('There is no run nope');
  });
});

describe('the timeline', () => {
  it('puts the same rows on an axis; its bars are pictures', async () => {
    const { kit } = filled();
    render(<TracePanel session={kit.session} />);
    const before = rows().length;
    await userEvent.click(screen.getByRole('button', { name: 'Timeline' }));
    expect(rows()).toHaveLength(before);
    const bars = [...document.querySelectorAll('.cm-timeline-bar')];
    expect(bars).toHaveLength(before);
    expect(bars.every((bar) => bar.getAttribute('aria-hidden') === 'true')).toBe(true);
    expect(document.querySelector('[data-segment="handler"]')).toBeTruthy();
  });
});

describe('a waiting call', () => {
  it('says so, and Review opens the dialog at it', async () => {
    const { kit, run } = filled();
    render(
      <>
        <TracePanel session={kit.session} />
        <CodeModeRun session={kit.session} runId={run} />
        <ApprovalDialog session={kit.session} />
      </>,
    );
    inAct(() => kit.ask(kit.request(run, 'one', {}), { question: 'Really one?' }));
    await userEvent.keyboard('{Escape}');
    inAct(() => kit.ask(kit.request(run, 'two', {}), { question: 'Really two?' }));
    await userEvent.click(within(rowOf(/two, waiting for you/)).getByRole('button', { name: 'Review' }));
    expect(screen.getByRole('heading', { name: 'Really two?' })).toBeTruthy();
  });

  it('offers no Review where no dialog could open', () => {
    const { kit, run } = filled();
    kit.ask(kit.request(run, 'one', {}));
    render(<TracePanel session={kit.session} />);
    expect(rowOf(/one, waiting for you/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull();
  });
});

describe('CodeModeRun', () => {
  it('is one line that never says completed while it waits', async () => {
    const { kit, run } = filled();
    const { container } = render(<CodeModeRun session={kit.session} runId={run} />);
    expect(container.textContent).toMatch(/Late orders.*2 calls.*running/);
    const id = inAct(() => kit.request(run, 'pay', {}));
    inAct(() => kit.ask(id, { question: 'Pay 5 EUR?' }));
    expect(container.textContent).toContain('waiting for you');
    expect(container.textContent).toContain('Pay 5 EUR?');
    expect(container.textContent).not.toContain('completed');
    inAct(() => kit.failRun(run, 'boom', 3));
    expect(container.textContent).toContain('line 3: boom');
    expect(container.textContent).not.toContain('Pay 5 EUR?');
  });

  it('shows program and result when opened', async () => {
    const { kit, run } = filled();
    kit.complete(run, { late: 3 });
    const { container } = render(<CodeModeRun session={kit.session} runId={run} />);
    await userEvent.click(screen.getByRole('button', { name: /Late orders/ }));
    expect(container.textContent).toContain('tools.orders.list');
    expect(await screen.findByText('{ late: 3 }')).toBeTruthy();
    const steps = [...container.querySelectorAll('.cm-phase')].map((step) => step.textContent);
    expect(steps).toEqual(['orders.list, customers.getline 20.40 s']);
    await userEvent.click(screen.getByRole('button', { name: 'Show the whole trace' }));
    expect(names().some((name) => name.startsWith('Promise.all ×2'))).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Hide the trace' }));
    expect(screen.queryByRole('tree')).toBeNull();
  });

  it('shows the code before the session knows the run, and nothing without both', () => {
    const { session } = createTestKit();
    const view = render(<CodeModeRun session={session} runId="later" code="return 1" />);
    expect(view.container.textContent).toContain('Program');
    view.rerender(<CodeModeRun session={session} runId="later" />);
    expect(view.container.textContent).toBe('');
  });
});

describe('performance measures', () => {
  it('appear once per run and call, however many views there are', () => {
    performance.clearMeasures();
    const { kit, run } = filled();
    render(
      <>
        <TracePanel session={kit.session} />
        <TracePanel session={kit.session} />
      </>,
    );
    inAct(() => kit.complete(run));
    const measured = performance.getEntriesByType('measure').map((entry) => entry.name);
    expect(measured.sort()).toEqual([
      'code mode call: customers.get',
      'code mode call: orders.list',
      'code mode run: Late orders',
    ]);
  });
});
