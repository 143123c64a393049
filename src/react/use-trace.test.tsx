// @vitest-environment happy-dom
import { cleanup, render, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { CodeModeProvider } from './CodeModeProvider.tsx';
import { inAct } from './test-tools/in-act.ts';
import { createTestKit } from './test-tools/test-kit.ts';
import { usePending, useRuns, useTrace } from './use-trace.ts';

afterEach(cleanup);

describe('useTrace', () => {
  it('takes a selector that returns a new array each time: no loop, no warning, the same array while nothing changed', () => {
    const kit = createTestKit();
    const { session } = kit;
    const run = kit.run('x');
    const hook = renderHook(() => useTrace((state) => state.runOrder.map((id) => state.runs[id]?.source), { session }), {
      wrapper: StrictMode,
    });
    const first = hook.result.current;
    expect(first).toEqual(['x']);
    hook.rerender();
    expect(hook.result.current).toBe(first);
    inAct(() => kit.log(run, 'hello'));
    expect(hook.result.current).toBe(first);
    inAct(() => kit.run('y'));
    expect(hook.result.current).toEqual(['x', 'y']);
  });

  it('takes a selector that returns new objects in a new array', () => {
    const kit = createTestKit();
    const { session } = kit;
    kit.run('x');
    let renders = 0;
    const hook = renderHook(() => {
      renders += 1;
      return useTrace((state) => state.runOrder.map((id) => ({ id })), { session });
    });
    expect(hook.result.current).toEqual([{ id: 'run-1' }]);
    expect(renders).toBe(1);
    inAct(() => kit.log('run-1', 'x'));
    expect(renders).toBeLessThan(5);
  });

  it('renders only when what it picks changed', () => {
    const kit = createTestKit();
    const { session } = kit;
    const run = kit.run('x');
    let renders = 0;
    renderHook(() => {
      renders += 1;
      return useTrace((state) => state.runs[run]?.status, { session });
    });
    for (let at = 0; at < 20; at += 1) inAct(() => kit.log(run, 'line'));
    expect(renders).toBe(1);
    inAct(() => kit.complete(run));
    expect(renders).toBe(2);
  });

  it('is idle without a session', () => {
    const hook = renderHook(() => [useTrace(), useRuns(), usePending()] as const);
    expect(hook.result.current).toEqual([expect.objectContaining({ runOrder: [], pending: [] }), [], []]);
  });

  it('follows when the session changes', () => {
    const [a, b] = [createTestKit(), createTestKit()];
    a.run('a');
    b.run('b');
    const hook = renderHook(({ kit }) => useRuns({ session: kit.session }), { initialProps: { kit: a } });
    expect(hook.result.current[0]?.source).toBe('a');
    hook.rerender({ kit: b });
    expect(hook.result.current[0]?.source).toBe('b');
  });

  it('reads the provider’s session', () => {
    const kit = createTestKit();
    kit.run('x');
    const Count = () => <output>{useRuns().length}</output>;
    const { container } = render(
      <CodeModeProvider value={{ codeMode: undefined, session: kit.session }}>
        <Count />
      </CodeModeProvider>,
    );
    expect(container.textContent).toBe('1');
  });
});
