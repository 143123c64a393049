/** A page with a real session and the approval surfaces, for tests that press real keys. `desk` is for the tests. */
import { StrictMode } from 'react';
import { CodeModeProvider, germanLabels } from 'react-code-mode';
import { createCodeMode, type Session, type StoredGrant } from 'react-code-mode/core';
import { createRoot } from 'react-dom/client';
import 'react-code-mode/styles.css';
import './page.css';
import { ran } from './done.ts';
import { readQuery } from './query.ts';
import { Surfaces } from './Surfaces.tsx';
import { tools } from './tools.ts';

const query = readQuery(location.search);
const kept: StoredGrant[] = [];
const codeMode = createCodeMode({
  tools,
  plan: query.plan,
  ...(query.expires !== undefined && { approvalTimeoutMs: query.expires }),
  ...(query.stores && {
    grants: {
      load: () => [...kept],
      save: (grant) => void kept.push(grant),
      remove: (id) => void kept.splice(0, kept.length, ...kept.filter((grant) => grant.id !== id)),
    },
  }),
});
const session = codeMode.session({ id: 'desk' });
let release = (): void => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
if (query.held) {
  const { readValue } = session;
  session.readValue = async (stored) => {
    await released;
    return readValue(stored);
  };
}

declare global {
  /** For the test. */
  var desk: { readonly session: Session; readonly ran: typeof ran; readonly kept: typeof kept; release(): void };
}
globalThis.desk = { session, ran, kept, release };

document.documentElement.dir = query.direction;
document.documentElement.lang = query.language;
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CodeModeProvider value={codeMode} sessionId="desk" {...(query.language === 'de' && { labels: germanLabels })}>
      <Surfaces query={query} />
    </CodeModeProvider>
  </StrictMode>,
);
