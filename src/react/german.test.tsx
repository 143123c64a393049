// @vitest-environment happy-dom
// Every view in the second language: no word on the page that did not come from the labels.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { testGuard } from '../testing/test-guard.ts';
import { ApprovalDialog } from './approval/ApprovalDialog.tsx';
import { ApprovalInline } from './approval/ApprovalInline.tsx';
import { review } from './approval/approval-ui.ts';
import { GrantList } from './approval/GrantList.tsx';
import { inAct } from './test-tools/in-act.ts';
import { markedLabels, unmarked, wordsIn } from './test-tools/marked-labels.ts';
import { type AskOptions, createTestKit, type RequestOptions, type TestKit } from './test-tools/test-kit.ts';
import { CodeModeRun } from './trace/CodeModeRun.tsx';
import { TracePanel } from './trace/TracePanel.tsx';
import './test-tools/load-parts.ts';
import './test-tools/patience.ts';

afterEach(cleanup);

/** Words of the application and the program all begin so. */
const OURS = /zz[\p{L}\w.-]*|«hidden \d»/giu;
/** Units and names that are the same in every language, and what the program's own text has. */
const SAME = /\b(ms|s|min|B|kB|MB|MiB|JSON|EUR|Promise\.all|U\+[0-9A-F]{4}|n)\b/g;
/** Texts of the core reach people as they are: problems of JSON, of a run. */
const CORE = /zzcore.*$/;

function strangers(): string[] {
  return wordsIn(document.body)
    .map((text) => unmarked(text).replace(CORE, '').replace(OURS, '').replace(SAME, ''))
    .filter((rest) => /\p{L}/u.test(rest));
}

const INPUT = {
  zzto: 'zzacme',
  zzamount: 40,
  zzapiKey: 'zzsecret',
  zzlong: `zz${'0'.repeat(500)}`,
  zzodd: '\u202e',
  zzmixed: 'zzа',
};
const words = (name: keyof typeof markedLabels): string => String(markedLabels[name]);
const press = async (name: string): Promise<void> => userEvent.click(screen.getAllByRole('button', { name })[0]!);

function mounted(view: (kit: TestKit) => ReactElement): TestKit {
  const kit = createTestKit();
  kit.canStore = true;
  kit.facts('zz.tool', {
    title: 'zztitle',
    description: 'zzsays',
    worded: false,
    inputJsonSchema: {
      properties: {
        zzto: { type: 'string', description: 'zzabout' },
        zzkind: { enum: ['zza', 'zzb'], type: 'string' },
        zzyes: { type: 'boolean' },
      },
      required: ['zzto'],
    },
    outputJsonSchema: { properties: { zzid: { type: 'string' } } },
  });
  render(view(kit));
  return kit;
}

const dialogOf = (kit: TestKit): ReactElement => (
  <ApprovalDialog session={kit.session} guard={testGuard()} labels={markedLabels} />
);

function ask(
  kit: TestKit,
  input: unknown = INPUT,
  options: AskOptions & RequestOptions = {},
  runId = inAct(() => kit.run('zz();\n', { title: 'zzrun' })),
): string {
  return inAct(() => {
    const callId = kit.request(runId, 'zz.tool', input, { title: 'zztitle', line: 1, intent: 'zzintent', ...options });
    kit.ask(callId, { question: 'zzquestion', reason: 'zzreason', expiresAt: Date.now() + 90_000, ...options });
    return callId;
  });
}

const shown = (): Promise<void> => waitFor(() => expect(document.querySelector('[data-part="value"]')).not.toBeNull());

describe('in German no English is left', () => {
  it('in the question, with its queue, deny, edit and answer', async () => {
    const kit = mounted(dialogOf);
    ask(kit);
    ask(kit, { zzid: 1 }, { risk: 'danger' });
    ask(kit, { zzamount: 2 }, { risk: 'read' });
    ask(kit, { zzamount: 2 }, { risk: 'read' }, 'run-3');
    await shown();
    expect(strangers()).toEqual([]);
    await press(markedLabels.position(1, 3));
    expect(strangers()).toEqual([]);
    await press(words('back'));
    await press(words('denyWithReason'));
    expect(strangers()).toEqual([]);
    await press(words('back'));
    await press(words('edit'));
    await waitFor(() => expect(document.querySelector('[data-part="form"]')).not.toBeNull());
    expect(strangers()).toEqual([]);
    fireEvent.change(screen.getByLabelText(/zzamount/), { target: { value: 'x' } });
    expect(strangers()).toEqual([]);
    fireEvent.change(screen.getByLabelText(/zzamount/), { target: { value: '41' } });
    await press(words('json'));
    expect(strangers()).toEqual([]);
    kit.refuse({
      applied: false,
      why: 'invalid_input',
      issues: [{ path: ['zzamount'], message: 'zzamount must be at most 30' }],
    });
    await waitFor(() =>
      expect(screen.getByRole('button', { name: words('allowEdited') }).getAttribute('aria-disabled')).toBe('false'),
    );
    await press(words('allowEdited'));
    await waitFor(() => expect(screen.getAllByText(markedLabels.issues(1)).length).toBeGreaterThan(0));
    expect(strangers()).toEqual([]);
    await press(words('giveResult'));
    expect(strangers()).toEqual([]);
  });

  it('in a call marked danger, typed and held; in one whose run ended; in the bar', async () => {
    const kit = mounted(dialogOf);
    // As the core asks where the application has no words.
    ask(kit, { zzid: 1 }, { risk: 'danger', question: 'Run zztitle?' });
    await shown();
    expect(strangers()).toEqual([]);
    await press(words('typeInstead'));
    expect(strangers()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    expect(strangers()).toEqual([]);
    inAct(() => review(kit.session));
    inAct(() => kit.cancelRun('run-1'));
    expect(strangers()).toEqual([]);
  });

  it('in a call that may have happened', async () => {
    const kit = mounted(dialogOf);
    ask(kit, { zzid: 1 }, { doubt: true, question: 'This may have happened already: zzquestion', reason: 'of the core' });
    await shown();
    expect(strangers()).toEqual([]);
    await press(words('typeInstead'));
    expect(strangers()).toEqual([]);
    await press(markedLabels.doubt.happened);
    expect(strangers()).toEqual([]);
  });

  it('in every permission, and in the list of them', async () => {
    const kit = mounted((each) => (
      <>
        {dialogOf(each)}
        <GrantList session={each.session} labels={markedLabels} />
      </>
    ));
    expect(strangers()).toEqual([]);
    ask(kit, { zzto: 'zzacme', zzamount: 40 });
    await shown();
    const menu = screen.getByRole('combobox', { name: words('scope') });
    for (const { value } of [...(menu as HTMLSelectElement).options]) {
      await userEvent.selectOptions(menu, value);
      expect(strangers()).toEqual([]);
    }
    fireEvent.change(screen.getByLabelText(markedLabels.comparedWith('zzamount')), { target: { value: '30' } });
    expect(strangers()).toEqual([]);
    fireEvent.change(screen.getByLabelText(markedLabels.comparedWith('zzamount')), { target: { value: 'x' } });
    expect(strangers()).toEqual([]);
    await userEvent.selectOptions(menu, 'session:tool');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: markedLabels.reach.session }).getAttribute('aria-disabled')).toBe('false'),
    );
    await press(markedLabels.reach.session);
    expect(kit.session.store.getState().grants).toHaveLength(1);
    expect(strangers()).toEqual([]);
    await press(String(markedLabels.revokeWhat(markedLabels.permission('zz.tool', 'tool', 'session'))));
    expect(strangers()).toEqual([]);
  });

  it('in a program as a whole, inline, and in what was decided', async () => {
    const kit = mounted((each) => (
      <ApprovalInline session={each.session} runId="run-1" guard={testGuard()} labels={markedLabels} />
    ));
    const tool = {
      tool: 'zz.tool',
      title: 'zztitle',
      risk: 'danger',
      definitionHash: '',
      sites: [{ line: 1, column: 1 }],
      askedAnyway: true,
    } as const;
    inAct(() => kit.plan('zz();\n', { tools: [tool], anyOf: 9, expiresAt: Date.now() + 5_000 }, { title: 'zzrun' }));
    expect(strangers()).toEqual([]);
    await inAct(() => kit.session.decidePlan('run-1', { kind: 'callByCall' }));
    for (const decision of [{ kind: 'allow' }, { kind: 'deny', reason: 'zzno' }, { kind: 'answer', output: 1 }] as const) {
      const callId = ask(kit, { zzid: decision.kind === 'deny' ? 1 : 2 }, {}, 'run-1');
      await shown();
      expect(strangers()).toEqual([]);
      await inAct(() => kit.session.decide(callId, decision));
    }
    expect(strangers()).toEqual([]);
  });

  it('in the trace, the run of a message and the undo', async () => {
    const kit = mounted((each) => (
      <>
        <TracePanel session={each.session} labels={markedLabels} />
        <CodeModeRun runId="run-1" session={each.session} labels={markedLabels} />
      </>
    ));
    expect(strangers()).toEqual([]);
    kit.undoPlan = {
      calls: [{ callId: 'run-1:1', tool: 'zz.tool' }],
      stays: [{ callId: 'run-1:2', tool: 'zz.tool', why: 'no_revert' }],
    };
    inAct(() => {
      const run = kit.run('zz();\n', { title: 'zzrun' });
      kit.log(run, 'zzlog', 'warn', 1);
      const good = kit.request(run, 'zz.tool', {}, { line: 1 });
      kit.start(good);
      kit.progress(good, 1, 2, 'zzmessage');
      kit.succeed(good, { zz: 'zz' });
      kit.emit(
        'tool_call.succeeded',
        { callId: kit.request(run, 'zz.tool', {}), output: { inline: '{}' }, outputBytes: 2, simulated: true },
        run,
      );
      const bad = kit.request(run, 'zz.tool', {});
      kit.fail(bad, 'zzcore failed');
      kit.stats(run, 20, 3_000_000);
      kit.complete(run, { zz: 1 });
    });
    await press(words('undoRun'));
    expect(strangers()).toEqual([]);
    await userEvent.click(screen.getAllByRole('treeitem')[2]!);
    expect(strangers()).toEqual([]);
  });
});
