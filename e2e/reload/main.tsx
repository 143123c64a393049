/**
 * A page with one session that is reloaded, and a chat message that was there before. What its tools did stands where no
 * reload reaches it. `?memory`: the journal does not survive.
 */
import { ApprovalDialog, CodeModeProvider, CodeModeRun } from 'react-code-mode';
import { createCodeMode, type Session } from 'react-code-mode/core';
import { indexedDbStorage } from 'react-code-mode/journal';
import { createRoot } from 'react-dom/client';
import 'react-code-mode/styles.css';

interface Input {
  readonly id: string;
  readonly n: number;
}

const effects = (): string[] => JSON.parse(localStorage.getItem('ran') ?? '[]') as string[];
const run = (name: string) => (input: Input) => {
  localStorage.setItem('ran', JSON.stringify([...effects(), `${name} ${input.id}`]));
  return { n: input.n };
};
const query = new URLSearchParams(location.search);
const storage = query.has('memory') ? undefined : indexedDbStorage({ name: 'reload' });
const codeMode = createCodeMode({
  ...(storage && { storage }),
  tools: [
    { name: 'read', risk: 'read' as const, execute: run('read') },
    { name: 'send', execute: run('send') },
    { name: 'pay', needsApproval: true, execute: run('pay'), describeCall: ({ n }: Input) => `Pays ${n} EUR.` },
  ],
});
const session = codeMode.session({ id: 'chat' });

declare global {
  /** For the test. */
  var journey: { readonly session: Session; effects(): string[] };
}
globalThis.journey = { session, effects };

/** As an application restores it: the message of the model, with the code it sent. */
const restored = sessionStorage.getItem('code');

createRoot(document.getElementById('root')!).render(
  <CodeModeProvider value={codeMode} sessionId="chat">
    {restored !== null && <CodeModeRun runId="run-1" code={restored} restored approval="dialog" />}
    <ApprovalDialog />
  </CodeModeProvider>,
);
