import { StrictMode } from 'react';
import { CodeModeProvider } from 'react-code-mode';
import { createRoot } from 'react-dom/client';
// First, because it sets the order of the cascade layers.
import './styles/base.css';
import 'react-code-mode/styles.css';
import './styles/shell.css';
import './styles/program.css';
import './styles/chat.css';
import { SESSION_ID, createDesk } from './desk.ts';
import { DeskProvider } from './desk-context.ts';
import { App } from './shell/App.tsx';
import { applyPreferences, readPreferences } from './shell/preferences.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

const preferences = readPreferences();
applyPreferences(preferences);
const desk = createDesk(preferences.plan);

createRoot(root).render(
  <StrictMode>
    <DeskProvider value={desk}>
      <CodeModeProvider value={desk.codeMode} sessionId={SESSION_ID}>
        <App />
      </CodeModeProvider>
    </DeskProvider>
  </StrictMode>,
);
