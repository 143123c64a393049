/** A chat box beside an open trace, for a program that makes thousands of calls. */
import { CodeModeProvider, TracePanel } from 'react-code-mode';
import { createCodeMode, type Session } from 'react-code-mode/core';
import { createRoot } from 'react-dom/client';
import 'react-code-mode/styles.css';

const codeMode = createCodeMode({
  tools: [
    { name: 'echo', risk: 'read' as const, execute: (input: unknown) => input },
    { name: 'file', risk: 'read' as const, execute: () => ({ text: 'x'.repeat(2_000_000) }) },
  ],
  limits: { maxCalls: 6_000 },
});

declare global {
  /** For the test. */
  var flood: { readonly session: Session };
}
globalThis.flood = { session: codeMode.session({ id: 'chat' }) };

createRoot(document.getElementById('root')!).render(
  <CodeModeProvider value={codeMode} sessionId="chat">
    <textarea aria-label="Message" />
    <div style={{ blockSize: '80vh' }}>
      <TracePanel />
    </div>
  </CodeModeProvider>,
);
