// @vitest-environment happy-dom
import { cleanup, fireEvent, render, renderHook, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { importRunFile, type RecordedRun } from '../../journal/run-file.ts';
import { callById } from '../../store/calls.ts';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { useTimeTravel } from '../use-time-travel.ts';
import { useTrace } from '../use-trace.ts';
import { exportRun } from './export-run.ts';
import { TracePanel } from './TracePanel.tsx';
import { useStandpoint } from './use-standpoint.ts';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const SOURCE = 'const a = await tools.orders.list({});\nconsole.log(a.length);\nawait tools.mail.send({ to: a[0] });\n';

/** A run that lists, prints, asks and is denied: events 1 to 11. */
function story(): { kit: TestKit; run: string } {
  const kit = createTestKit(1_000);
  const run = kit.run(SOURCE, { title: 'Mails' });
  const list = kit.request(run, 'orders.list', { apiKey: 'sk-secret' }, { line: 1 });
  kit.pass(10);
  kit.start(list);
  kit.pass(400);
  kit.succeed(list, ['a@example.org']);
  kit.log(run, '1', 'log', 2);
  const mail = kit.request(run, 'mail.send', { to: 'a@example.org' }, { line: 3 });
  kit.ask(mail, { question: 'Send a mail?' });
  kit.pass(2_000);
  kit.emit('approval.decided', { callId: mail, decision: 'deny', reason: 'not now' }, run);
  kit.complete(run, 'done');
  return { kit, run };
}

async function recorded(): Promise<RecordedRun> {
  const { kit, run } = story();
  return importRunFile(JSON.parse(JSON.stringify(await exportRun(kit.session, run))));
}

const tree = (): HTMLElement => screen.getByRole('tree');
const names = (): string[] =>
  within(tree())
    .getAllByRole('treeitem')
    .map((row) => row.getAttribute('aria-label') ?? '');
const words = (): string => document.querySelector('.cm-time-words')?.textContent ?? '';
const slider = (): HTMLInputElement => screen.getByRole('slider');
const goTo = (at: number): void => void fireEvent.change(slider(), { target: { value: String(at) } });

describe('time travel in the panel', () => {
  it('shows calls, console and what waits as of the moment', async () => {
    const { kit } = story();
    render(<TracePanel session={kit.session} />);
    expect(screen.queryByRole('slider')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Step through' }));
    expect(slider().max).toBe('11');
    expect(words()).toContain('event 11 of 11');

    goTo(4);
    expect(words()).toBe('event 4 of 11+10 mshandler startedorders.list');
    expect(names()).toEqual([
      expect.stringMatching(/^Mails, running/),
      expect.stringMatching(/^orders.list, running, .*line 1, 10 ms$/),
    ]);
    goTo(6);
    expect(names().at(-1)).toBe('console, 1, line 2');
    goTo(8);
    expect(names().at(-1)).toMatch(/^mail.send, waiting for you/);
    expect(words()).toContain('1 call waits');
    goTo(10);
    expect(names().at(-1)).toMatch(/^mail.send, denied, .*not now, line 3, 2 s$/);
    expect(words()).not.toContain('waits');
    await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(names()[0]).toMatch(/^Mails, completed/);
  });

  it('goes by buttons and by keys, stops at both ends and marks the row', async () => {
    const { kit } = story();
    render(<TracePanel session={kit.session} />);
    await userEvent.click(screen.getByRole('button', { name: 'Step through' }));
    const press = (key: string): string => {
      fireEvent.keyDown(tree(), { key, shiftKey: true });
      return words().split('+')[0]!;
    };
    const click = async (name: string): Promise<string> => {
      await userEvent.click(screen.getByRole('button', { name }));
      return words().split('+')[0]!;
    };
    expect(await click('Previous event')).toBe('event 10 of 11');
    expect(await click('First event')).toBe('event 1 of 11');
    expect(await click('Previous event')).toBe('event 1 of 11');
    expect(await click('Next event')).toBe('event 2 of 11');
    expect(press('ArrowRight')).toBe('event 3 of 11');
    expect(document.querySelector('[data-moment]')?.getAttribute('aria-label')).toMatch(/^orders.list/);
    expect(document.querySelector('.cm-listing [data-marked]')?.getAttribute('data-line')).toBe('1');
    expect(press('ArrowLeft')).toBe('event 2 of 11');
    expect(press('End')).toBe('event 11 of 11');
    expect(press('ArrowRight')).toBe('event 11 of 11');
    expect(press('Home')).toBe('event 1 of 11');
    expect(await click('Last event')).toBe('event 11 of 11');
  });

  it('holds the moment while the run goes on, and cannot act on the past', async () => {
    const { kit, run } = story();
    const next = kit.run('x', { title: 'Next' });
    render(<TracePanel session={kit.session} run={next} />);
    await userEvent.click(screen.getByRole('button', { name: 'Step through' }));
    const first = inAct(() => kit.request(next, 'pay', {}));
    goTo(2);
    inAct(() => kit.ask(first));
    inAct(() => kit.log(next, 'later'));
    expect(words()).toContain('event 2 of 6');
    expect(names()).toHaveLength(1);
    goTo(4);
    expect(names().at(-1)).toMatch(/^pay, waiting for you/);
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull();
    goTo(6);
    expect(screen.queryByRole('button', { name: 'Back to now' })).toBeNull();
    inAct(() => kit.log(next, 'even later'));
    expect(words()).toContain('event 7 of 7');
    expect(run).not.toBe(next);
  });

  it('ends where it began when the bar is closed', async () => {
    const { kit } = story();
    render(<TracePanel session={kit.session} />);
    const toggle = screen.getByRole('button', { name: 'Step through' });
    await userEvent.click(toggle);
    goTo(1);
    await userEvent.click(toggle);
    expect(names()[0]).toMatch(/^Mails, completed/);
    expect(screen.queryByRole('slider')).toBeNull();
  });
});

describe('a recording', () => {
  it('that the panel exported can be looked at again, masked, with nothing to act on', async () => {
    const recording = await recorded();
    const { container } = render(<TracePanel recording={recording} />);
    expect(screen.getByRole('region', { name: 'Recording' })).toBeTruthy();
    expect(container.textContent).toContain('Nothing of it is executed. Secrets were replaced');
    expect(names()[0]).toMatch(/^Mails, completed/);
    expect(slider().value).toBe('11');
    await userEvent.click(within(tree()).getByRole('treeitem', { name: /orders.list/ }));
    const details = screen.getByRole('region', { name: 'Details' });
    await within(details).findByText(/a@example.org/);
    expect(container.innerHTML).not.toContain('sk-secret');
    goTo(8);
    expect(names().at(-1)).toMatch(/^mail.send, waiting for you/);
    expect(screen.queryByRole('button', { name: /Review|Back to now|Step through/ })).toBeNull();
  });

  it('is exported to the same file again', async () => {
    const { kit, run } = story();
    const file = await exportRun(kit.session, run);
    const again = importRunFile(JSON.parse(JSON.stringify(file)));
    const { result } = renderHook(() => useTrace((state) => state.runs[run]!, { recording: again }));
    expect(result.current).toMatchObject({ status: 'completed', title: 'Mails' });
    expect((await exportRun({ ...kit.session, journal: again }, run)).events).toEqual(file.events);
  });

  it('says that its file was damaged', async () => {
    const { kit, run } = story();
    const file = await exportRun(kit.session, run);
    const cut = importRunFile({ ...file, events: [...file.events.slice(0, 4), { v: 2 }] });
    render(<TracePanel recording={cut} />);
    expect(screen.getByText(/The file was cut off or changed/)).toBeTruthy();
    expect(names().at(-1)).toMatch(/^orders.list, running, .*10 ms$/);
  });
});

describe('useTimeTravel', () => {
  it('gives any moment of a session without a view', () => {
    const { kit, run } = story();
    const { result } = renderHook(() => useTimeTravel({ session: kit.session, run }));
    expect(result.current).toMatchObject({ at: 11, isLive: true });
    inAct(() => result.current.go(8));
    expect(result.current).toMatchObject({ at: 8, isLive: false, event: { type: 'approval.requested' } });
    expect(result.current.state.pending).toEqual([`${run}:2`]);
    expect(callById(result.current.state, `${run}:1`)?.status).toBe('succeeded');
    inAct(() => result.current.go(999));
    expect(result.current).toMatchObject({ at: 11, isLive: true });
  });

  it('renders the past once, whatever goes on meanwhile; only the list of moments grows', () => {
    const { kit, run } = story();
    let renders = 0;
    const { result } = renderHook(() => {
      renders += 1;
      return useStandpoint(kit.session, run);
    });
    inAct(() => result.current.stopAfter(8));
    const before = renders;
    inAct(() => kit.log(kit.run('next'), 'later'));
    expect(renders).toBe(before);
    expect(result.current).toMatchObject({ isLive: false, event: { seq: 8 }, state: { lastSeq: 8 } });
    inAct(() => result.current.stopAfter(undefined));
    expect(result.current).toMatchObject({ isLive: true, event: { type: 'run.completed' } });
    expect(result.current.state.runOrder).toHaveLength(2);
  });

  it('has nothing to show without a session', () => {
    const { result } = renderHook(() => useTimeTravel());
    expect(result.current).toMatchObject({ at: 0, moments: [], event: undefined, isLive: true });
    inAct(() => result.current.go(3));
    expect(result.current.at).toBe(0);
  });
});
