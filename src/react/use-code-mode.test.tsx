// @vitest-environment happy-dom
import { join } from 'node:path';
import { cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type React from 'react';
import { StrictMode, useEffect } from 'react';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import { createCodeMode } from '../session/create-code-mode.ts';
import type { CodeMode } from '../session/types.ts';
import { testGuard } from '../testing/test-guard.ts';
import { ApprovalDialog } from './approval/ApprovalDialog.tsx';
import { CodeModeProvider } from './CodeModeProvider.tsx';
import { inAct } from './test-tools/in-act.ts';
import { TracePanel } from './trace/TracePanel.tsx';
import { type CodeModeHandle, type OwnedCodeModeOptions, useCodeMode } from './use-code-mode.ts';
import './test-tools/patience.ts';

// The page's own URL class is no file: address for Node; a path is.
const executor = createNodeExecutor({ workerUrl: join(import.meta.dirname, '../../.cache/worker.js') });
afterAll(() => executor[Symbol.asyncDispose]());
afterEach(cleanup);

const echo = { execute: (input: unknown) => input };
const owned = (options: Partial<OwnedCodeModeOptions> = {}): OwnedCodeModeOptions => ({ tools: { echo }, executor, ...options });

describe('useCodeMode with tools', () => {
  it('runs a program in the sandbox and shows it', async () => {
    const { result } = renderHook(() => useCodeMode(owned()), { wrapper: StrictMode });
    const run = inAct(() => result.current.run('return (await tools.echo({ n: 20 })).n + 22', { title: 'sum' }));
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 42 });
    await waitFor(() => expect(result.current.runs).toMatchObject([{ title: 'sum', status: 'completed' }]));
  });

  it('keeps tools, run and decide the same over renders', () => {
    const { result, rerender } = renderHook(() => useCodeMode(owned()));
    const { tools, run, decide, session } = result.current;
    rerender();
    expect(result.current.tools).toBe(tools);
    expect(result.current.run).toBe(run);
    expect(result.current.decide).toBe(decide);
    expect(result.current.session).toBe(session);
  });

  it('calls the handler of the latest render', async () => {
    const { result, rerender } = renderHook(({ says }) => useCodeMode(owned({ tools: { say: { execute: () => says } } })), {
      initialProps: { says: 'first' },
    });
    const say = async (): Promise<unknown> => {
      const outcome = await inAct(() => result.current.run('return await tools.say({})')).outcome;
      return outcome.status === 'completed' && outcome.value;
    };
    expect(await say()).toBe('first');
    const { session } = result.current;
    rerender({ says: 'second' });
    expect(await say()).toBe('second');
    expect(result.current.session).toBe(session);
  });

  it('lets a child run a program in its first effect', async () => {
    const seen: unknown[] = [];
    function Child({ run }: { readonly run: CodeModeHandle['run'] }) {
      useEffect(() => {
        void run('return 1').outcome.then((outcome) => seen.push(outcome.status));
      }, [run]);
      return null;
    }
    function Parent() {
      return <Child run={useCodeMode(owned()).run} />;
    }
    render(<Parent />);
    await waitFor(() => expect(seen).toEqual(['completed']));
  });

  it('gives a chat library tools that work before the first effect, and wait', async () => {
    let early: CodeModeHandle['tools'] | undefined;
    let answer: Promise<unknown> | undefined;
    function Chat() {
      const { tools } = useCodeMode(owned());
      if (!early) {
        early = tools;
        answer = tools.executeCode.run({ code: 'return 6 * 7' }, { callId: 'call-1' });
      }
      return null;
    }
    render(<Chat />);
    expect(await answer).toMatchObject({ ok: true, runId: 'call-1' });
    await waitFor(() => expect(early?.executeCode.description).toContain('COMPLETE'));
    expect(early?.executeCode.inputSchema['~standard'].validate({ code: 'x' })).toMatchObject({ value: { code: 'x' } });
  });

  it('answers a model tool that was aborted before there was a session', async () => {
    const abort = new AbortController();
    let answer: Promise<unknown> | undefined;
    const hook = renderHook(() => {
      const { tools } = useCodeMode({ codeMode: undefined });
      answer ??= tools.executeCode.run({ code: '1' }, { signal: abort.signal });
    });
    abort.abort();
    expect(await answer).toMatchObject({ ok: false, text: expect.stringContaining('Nothing ran') as string });
    hook.unmount();
  });

  it('disposes its code mode a second after the unmount, not on StrictMode’s double mount', async () => {
    const { result, unmount } = renderHook(() => useCodeMode(owned()), { wrapper: StrictMode });
    const { session } = result.current;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(result.current.session).toBe(session);
    unmount();
    expect(await session!.run('return 1').outcome).toMatchObject({ status: 'completed' });
    await vi.waitFor(() => expect(() => session!.run('return 1')).toThrow(/disposed/), { timeout: 3_000 });
  });

  it('is taken over by a component that mounts with the same session id', async () => {
    const first = renderHook(() => useCodeMode(owned({ sessionId: 'chat-7' })));
    const { session } = first.result.current;
    const run = inAct(() => first.result.current.run('return 1'));
    first.unmount();
    const second = renderHook(() => useCodeMode(owned({ sessionId: 'chat-7' })));
    expect(second.result.current.session).toBe(session);
    await run.outcome;
    await waitFor(() => expect(second.result.current.runs).toHaveLength(1));
  });

  it('refuses a bad tool set where the component mounts', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const twice = [
      { name: 'a', execute: () => 1 },
      { name: 'a', execute: () => 2 },
    ];
    expect(() => renderHook(() => useCodeMode(owned({ tools: twice })))).toThrow(/a/);
  });

  it('runs no program when it is not enabled, and says so', async () => {
    const { result } = renderHook(() => useCodeMode(owned({ enabled: false })));
    expect(() => result.current.run('1')).toThrow('Code mode is off');
    expect(await result.current.tools.executeCode.run({ code: '1' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('off') as string,
    });
  });

  it('offers the three tools, or with `enabled: false` the application’s own, under the same policy and in the same trace', async () => {
    let renders = 0;
    const { result, rerender } = renderHook(
      ({ enabled }) => {
        renders++;
        // As most applications write them: new objects with each render.
        const pay = { description: 'Pays.', needsApproval: true, execute: () => 'paid' };
        return useCodeMode(owned({ enabled, tools: { echo, pay } }));
      },
      { initialProps: { enabled: true } },
    );
    expect(result.current.offered.map(({ name }) => name)).toEqual(['getTools', 'getToolDefinition', 'executeCode']);
    rerender({ enabled: false });
    await waitFor(() => expect(result.current.offered.map(({ name }) => name)).toEqual(['echo', 'pay']));
    const before = result.current.offered;
    rerender({ enabled: false });
    expect(result.current.offered).toBe(before);

    await inAct(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(result.current.offered).toBe(before);
    expect(renders).toBeLessThan(20);

    const answer = inAct(() => before[1]!.run({ amount: 5 }, { callId: 'call-1' }));
    await waitFor(() => expect(result.current.pending).toMatchObject([{ tool: 'pay' }]));
    await inAct(() => result.current.decide(result.current.pending[0]!.id, { kind: 'allow' }));
    expect(await answer).toMatchObject({ ok: true, text: '"paid"', runId: 'call-1' });
    expect(result.current.runs).toMatchObject([{ id: 'call-1', status: 'completed' }]);
  });
});

describe('useCodeMode inside a provider', () => {
  const open: CodeMode[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
  });
  const shared = (): CodeMode => {
    const codeMode = createCodeMode({ tools: { echo }, executor });
    open.push(codeMode);
    return codeMode;
  };

  it('attaches to the provider’s session; unmounting ends nothing', async () => {
    const codeMode = shared();
    const wrapper = ({ children }: { readonly children: React.ReactNode }) => (
      <CodeModeProvider value={codeMode}>{children}</CodeModeProvider>
    );
    const first = renderHook(() => useCodeMode(), { wrapper });
    const run = inAct(() => first.result.current.run('return await new Promise((done) => setTimeout(() => done(5), 50))'));
    first.unmount();
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 5 });
    const second = renderHook(() => useCodeMode(), { wrapper });
    expect(second.result.current.runs).toHaveLength(1);
    expect(second.result.current.codeMode).toBe(codeMode);
  });

  it('opens the session it names', () => {
    const codeMode = shared();
    const { result } = renderHook(() => useCodeMode({ codeMode, sessionId: 'other' }));
    expect(result.current.session?.id).toBe('other');
    expect(codeMode.session({ id: 'other' })).toBe(result.current.session);
  });

  it('says what is missing when there is no code mode to use', () => {
    const { result } = renderHook(() => useCodeMode());
    expect(() => result.current.run('1')).toThrow('found no code mode to use');
  });
});

describe('the whole way', () => {
  function App() {
    const codeMode = useCodeMode(
      owned({
        tools: [
          { name: 'orders.list', execute: () => [{ id: 1 }], annotations: { readOnlyHint: true } },
          {
            name: 'mail.send',
            needsApproval: true,
            inputSchema: { type: 'object', properties: { to: { type: 'string' }, pin: { 'x-sensitive': true } } },
            describeCall: ({ to }: { to: string }) => `Send a mail to ${to}?`,
            execute: ({ to }: { to: string }) => `sent to ${to}`,
          },
        ],
      }),
    );
    const run = (): void => void codeMode.run(SOURCE, { title: 'Mail' });
    return (
      <CodeModeProvider value={codeMode}>
        <button onClick={run}>Run</button>
        <ApprovalDialog guard={testGuard()} />
        <TracePanel />
      </CodeModeProvider>
    );
  }
  const SOURCE = `const [orders, mail] = await Promise.all([
  tools.orders.list({}),
  tools.mail.send({ to: 'info@example.com', pin: '1234' }).catch((error) => error.message),
]);
return mail;`;

  it('a program asks, a person allows, the trace shows it', async () => {
    render(<App />);
    await userEvent.click(screen.getByRole('button', { name: 'Run' }));
    expect(await screen.findByRole('heading', { name: 'Send a mail to info@example.com?' })).toBeTruthy();
    expect(screen.getByRole('alertdialog').querySelector('[data-marked]')?.getAttribute('data-line')).toBe('3');
    const allow = screen.getByRole('button', { name: 'Allow once' });
    await waitFor(() => expect(allow.getAttribute('aria-disabled')).toBe('false'));
    await userEvent.click(allow);
    expect(await screen.findByRole('treeitem', { name: /^Mail, completed/ })).toBeTruthy();
    expect(screen.getByRole('treeitem', { name: /^mail.send, succeeded, .*"sent to info@example.com"/ })).toBeTruthy();
    expect(screen.getByRole('treeitem', { name: /^orders.list, succeeded/ })).toBeTruthy();
    expect(screen.getByRole('treeitem', { name: /^result, "sent to info@example.com"/ })).toBeTruthy();
  });

  it('a person denies with a reason, the program catches it', async () => {
    render(<App />);
    await userEvent.click(screen.getByRole('button', { name: 'Run' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Deny…' }));
    await userEvent.type(screen.getByLabelText(/Reason/), 'not this one');
    const deny = screen.getByRole('button', { name: 'Deny' });
    await waitFor(() => expect(deny.getAttribute('aria-disabled')).toBe('false'));
    await userEvent.click(deny);
    expect(await screen.findByRole('treeitem', { name: /^result, .*not this one/ })).toBeTruthy();
  });
});
