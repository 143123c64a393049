import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { ApprovalBar } from './approval/ApprovalBar.tsx';
import { ApprovalDialog } from './approval/ApprovalDialog.tsx';
import { CodeModeProvider } from './CodeModeProvider.tsx';
import { Icon } from './Icon.tsx';
import { CodeModeRun } from './trace/CodeModeRun.tsx';
import { TracePanel } from './trace/TracePanel.tsx';
import { useCodeMode } from './use-code-mode.ts';

function Chat() {
  const codeMode = useCodeMode({ tools: { echo: { execute: (input: unknown) => input } } });
  return (
    <CodeModeProvider value={codeMode}>
      <output>{`${codeMode.session === undefined} ${codeMode.runs.length} ${codeMode.pending.length} ${codeMode.tools.executeCode.name}`}</output>
      <ApprovalDialog />
      <ApprovalBar />
      <TracePanel />
      <CodeModeRun runId="x" />
    </CodeModeProvider>
  );
}

describe('on a server', () => {
  it('there is no page: this test would prove nothing with one', () => {
    expect(typeof window).toBe('undefined');
    expect(typeof document).toBe('undefined');
    expect(typeof Worker).toBe('undefined');
  });

  it('everything renders idle and nothing starts', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const html = renderToString(<Chat />);
    expect(html).toContain('true 0 0 executeCode');
    expect(html).toContain('Nothing has run yet.');
    expect(html).not.toContain('<dialog');
    expect(timers).not.toHaveBeenCalled();
  });

  it('a provider with a code mode opens no session', () => {
    const session = vi.fn();
    const value = { session, warmUp: async () => {}, update: () => {}, [Symbol.asyncDispose]: async () => {} };
    renderToString(
      <CodeModeProvider value={value as never}>
        <TracePanel />
      </CodeModeProvider>,
    );
    expect(session).not.toHaveBeenCalled();
  });

  it('an icon has a size of its own, for a page without the stylesheet', () => {
    expect(renderToString(<Icon name="write" />)).toContain('width="14" height="14"');
  });
});
