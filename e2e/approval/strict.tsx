/** An application in StrictMode that owns its code mode; a run begins in an effect, another one with a press. `seen` is for the tests. */
import { memo, StrictMode, useEffect, useRef } from 'react';
import { CodeModeProvider, useCodeMode, useTrace } from 'react-code-mode';
import { createRoot } from 'react-dom/client';

const seen = { ran: [] as unknown[], renders: 0, lengths: [] as number[] };

declare global {
  /** For the test. */
  var seen: { readonly ran: unknown[]; renders: number; readonly lengths: number[] };
}
globalThis.seen = seen;

const tools = [
  { name: 'pay', execute: (input: unknown) => void seen.ran.push(input) },
  { name: 'look', risk: 'read' as const, execute: () => 1 },
];

function App(): React.ReactElement {
  const codeMode = useCodeMode({ tools });
  const { run, session } = codeMode;
  useEffect(() => {
    if (location.search.includes('idle')) void codeMode.codeMode?.warmUp();
  }, [codeMode.codeMode]);
  useEffect(() => {
    if (session && !location.search.includes('idle')) run("await tools.pay({ from: 'effect' })", { id: 'effect' });
  }, [run, session]);
  return (
    <CodeModeProvider value={codeMode}>
      <button type="button" onClick={() => run("await tools.pay({ from: 'event' })")}>
        Pay
      </button>
      <button type="button" onClick={() => run('for (let at = 0; at < 5; at++) await tools.look()')}>
        Look
      </button>
      <Payments />
      <Runs />
    </CodeModeProvider>
  );
}

/** The natural way to use it: a new array each time. */
const Payments: React.NamedExoticComponent = memo(function Payments() {
  const paid = useTrace((state) => state.runOrder.flatMap((id) => state.runs[id]!.calls.filter((call) => call.tool === 'pay')));
  const renders = useRef(0);
  useEffect(() => {
    renders.current += 1;
    seen.renders = renders.current;
    seen.lengths.push(paid.length);
  });
  return <output data-payments="">{paid.map(({ status }) => status).join(' ')}</output>;
});

function Runs(): React.ReactElement {
  const statuses = useTrace((state) => state.runOrder.map((id) => state.runs[id]!.status));
  return <output data-runs="">{statuses.join(' ')}</output>;
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
