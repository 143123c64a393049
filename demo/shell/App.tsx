import { type ReactElement, Suspense, lazy, useState } from 'react';
import { ApprovalDialog, useTrace } from 'react-code-mode';
import { useDesk } from '../desk-context.ts';
import { ProgramView } from '../program/ProgramView.tsx';
import { TraceView } from '../trace/TraceView.tsx';
import { Fault } from './Fault.tsx';
import { Header } from './Header.tsx';
import { Icon } from './Icon.tsx';
import { type Preferences, applyPreferences, readPreferences, savePreferences } from './preferences.ts';
import { Split } from './Split.tsx';
import { TabPanel, Tabs } from './Tabs.tsx';
import { type View, useView } from './use-view.ts';
import { useWide } from './use-wide.ts';

/** The AI SDK is as large as all the rest together; who only runs programs does not load it. */
const ChatView = lazy(async () => ({ default: (await import('../chat/ChatView.tsx')).ChatView }));

const NAME = 'view';

/** The whole page. Everything that must survive a change of view lives in the desk, above. */
export function App(): ReactElement {
  const { codeMode } = useDesk();
  const [preferences, setPreferences] = useState(readPreferences);
  const [view, showView] = useView();
  const wide = useWide();
  const runs = useTrace((state) => state.runOrder.length);
  const change = (part: Partial<Preferences>): void => {
    const next = { ...preferences, ...part };
    setPreferences(next);
    savePreferences(next);
    applyPreferences(next);
    if (part.plan) codeMode.update({ plan: part.plan });
  };
  return (
    <>
      <Header preferences={preferences} onChange={change}>
        <Tabs
          name={NAME}
          label="View"
          className="view-tabs"
          selected={view}
          onSelect={showView}
          tabs={[
            { id: 'program', label: 'Program', icon: <Icon name="program" /> },
            { id: 'chat', label: 'Chat', icon: <Icon name="chat" /> },
            { id: 'trace', label: 'Trace', icon: <Icon name="trace" />, count: runs },
          ]}
        />
      </Header>
      <main className="main">
        <TabPanel name={NAME} selected={view} className="view">
          {view === 'trace' || !wide ? (
            <Side view={view} onView={showView} />
          ) : (
            <Split
              share={preferences.split}
              onShare={(split) => change({ split })}
              first={<Side view={view} onView={showView} />}
              second={<Side view="trace" onView={showView} />}
            />
          )}
        </TabPanel>
      </main>
      <ApprovalDialog />
    </>
  );
}

function Side({ view, onView }: { readonly view: View; onView(view: View): void }): ReactElement {
  switch (view) {
    case 'program':
      return <ProgramView />;
    case 'chat':
      return (
        <Fault>
          <Suspense fallback={<p className="loading">Loading the chat</p>}>
            <ChatView />
          </Suspense>
        </Fault>
      );
    case 'trace':
      return <TraceView onView={onView} />;
  }
}
