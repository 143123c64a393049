/**
 * Every word the views show or say. Counts go through functions, so that each language has its own plurals.
 * English is the default; `germanLabels` (labels-de.ts) is complete; others start from these types.
 */
import type { CallStatus, RunStatus } from '../store/state.ts';
import type { RiskWord } from '../journal/events.ts';

export interface Labels {
  /** Language of numbers and durations. */
  readonly locale: string;
  readonly risk: Readonly<Record<RiskWord, string>>;
  readonly runStatus: Readonly<Record<RunStatus, string>>;
  readonly callStatus: Readonly<Record<CallStatus, string>>;

  // Approval dialog
  readonly position: (at: number, total: number) => string;
  readonly calls: (count: number) => string;
  readonly same: (count: number) => string;
  readonly cannotBeUndone: string;
  readonly alreadyRan: (count: number) => string;
  readonly nothingRan: string;
  readonly input: string;
  readonly noInput: string;
  readonly inProgram: string;
  readonly line: (line: number) => string;
  readonly callOf: (ordinal: number, total: number) => string;
  readonly showProgram: string;
  readonly showExcerpt: string;
  readonly assistantSays: string;
  readonly whyAsked: string;
  readonly expiresIn: (duration: string) => string;
  readonly allow: string;
  readonly allowScoped: string;
  readonly allowEdited: string;
  readonly deny: string;
  readonly denyWithReason: string;
  readonly edit: string;
  readonly stopRun: string;
  readonly later: string;
  readonly back: string;
  readonly close: string;
  readonly next: string;
  readonly scope: string;
  readonly scopeOnce: string;
  readonly scopeRunInput: string;
  readonly scopeRunTool: string;
  readonly scopeSessionInput: string;
  readonly scopeSessionTool: string;
  readonly scopeWords: (scope: 'run' | 'session', match: 'input' | 'tool', tool: string) => string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly holdToAllow: string;
  readonly keepHolding: string;
  readonly typeInstead: string;
  readonly holdInstead: string;
  readonly typeToAllow: (value: string) => string;
  readonly allowAll: (count: number) => string;
  readonly denyAll: (count: number) => string;
  readonly allWaiting: (count: number) => string;
  readonly oneByOne: (count: number) => string;
  readonly openFirst: (count: number) => string;
  readonly loadingInput: string;
  readonly inputUnreadable: string;
  readonly covered: string;
  readonly alreadyEnded: string;
  readonly expired: string;
  readonly alreadyDecided: string;
  readonly deniedByPolicy: string;
  readonly decideFailed: (message: string) => string;
  readonly decided: Readonly<Record<'allow' | 'deny' | 'answer' | 'cancelRun', string>>;
  readonly changeInput: string;
  readonly giveResult: string;
  readonly answer: string;
  readonly inputJson: string;
  readonly resultJson: string;
  readonly answerHint: string;
  readonly notJson: (message: string) => string;
  readonly issues: (count: number) => string;
  readonly changes: (count: number) => string;
  readonly noChanges: string;
  readonly notEditable: string;
  readonly hiddenInEditor: string;
  readonly editorMissing: string;
  readonly tryAgain: string;
  readonly barWaiting: (count: number) => string;
  readonly barTyping: string;
  readonly review: string;

  // Values
  readonly characters: (count: number) => string;
  readonly entries: (count: number) => string;
  readonly collapsed: (count: number) => string;
  readonly open: string;
  readonly reveal: string;
  readonly hide: string;
  readonly masked: (characters: number) => string;
  readonly emptyLines: (count: number) => string;
  readonly emptyText: string;
  readonly invisible: (name: string) => string;
  readonly mixedScript: (script: string) => string;

  // Trace
  readonly trace: string;
  readonly traceEmpty: string;
  readonly traceEmptyHint: string;
  readonly traceMissing: string;
  readonly program: string;
  readonly details: string;
  readonly tree: string;
  readonly timeline: string;
  readonly viewAs: string;
  readonly compute: string;
  readonly memory: string;
  readonly callCount: string;
  readonly keptOut: string;
  readonly ofLimit: (used: string, limit: string) => string;
  readonly parallel: (count: number) => string;
  readonly times: (count: number) => string;
  readonly console: string;
  readonly emitted: string;
  readonly result: string;
  readonly error: string;
  readonly warning: string;
  readonly waitsForRun: (title: string) => string;
  readonly computing: string;
  readonly queue: string;
  readonly approval: string;
  readonly handler: string;
  readonly output: string;
  readonly proposedInput: string;
  readonly effectiveInput: string;
  readonly decision: string;
  readonly decisions: Readonly<Record<'allow' | 'deny' | 'answer' | 'cancel_run' | 'expired' | 'ended', string>>;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly exportRun: string;
  readonly search: string;
  readonly filter: string;
  readonly allStatuses: string;
  readonly nothingFound: string;
  readonly clearSearch: string;
  readonly nextFailure: (count: number) => string;
  readonly rows: (count: number) => string;
  readonly failedInside: (count: number) => string;
  readonly progress: (done: string, total: string) => string;
  readonly untitledRun: string;
}

const one = (count: number, single: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? single : many}`;

export const defaultLabels: Labels = {
  locale: 'en',
  risk: { read: 'read', write: 'write', danger: 'danger' },
  runStatus: {
    queued: 'queued',
    running: 'running',
    waiting: 'waiting for you',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
  },
  callStatus: {
    requested: 'queued',
    waiting_approval: 'waiting for you',
    running: 'running',
    succeeded: 'succeeded',
    failed: 'failed',
    denied: 'denied',
    cancelled: 'cancelled',
    interrupted: 'interrupted',
    replayed: 'replayed',
  },

  position: (at, total) => `${at} of ${total}`,
  calls: (count) => one(count, 'call', 'calls'),
  same: (count) => `The same call waits ${count} times; each is asked on its own.`,
  cannotBeUndone: 'May not be undone',
  alreadyRan: (count) => `This run has already made ${one(count, 'call', 'calls')}`,
  nothingRan: 'Nothing has run yet',
  input: 'Input',
  noInput: 'No input',
  inProgram: 'In the program',
  line: (line) => `line ${line}`,
  callOf: (ordinal, total) => `call ${ordinal} of ${total}`,
  showProgram: 'Show whole program',
  showExcerpt: 'Show excerpt',
  assistantSays: 'The assistant says',
  whyAsked: 'Why you are asked',
  expiresIn: (duration) => `Expires in ${duration}`,
  allow: 'Allow once',
  allowScoped: 'Allow',
  allowEdited: 'Allow edited',
  deny: 'Deny',
  denyWithReason: 'Deny…',
  edit: 'Edit',
  stopRun: 'Stop run',
  later: 'Later',
  back: 'Back',
  close: 'Close',
  next: 'Next',
  scope: 'Allow how often',
  scopeOnce: 'Once',
  scopeRunInput: 'This run: same input',
  scopeRunTool: 'This run: any input',
  scopeSessionInput: 'Session: same input',
  scopeSessionTool: 'Session: any input',
  scopeWords: (scope, match, tool) =>
    `${tool} ${match === 'input' ? 'with exactly this input' : 'with any input'} will run without asking for the rest of this ${scope}.`,
  reason: 'Reason',
  reasonHint: 'Optional. The program and the assistant read it.',
  holdToAllow: 'Hold to allow',
  keepHolding: 'Keep holding…',
  typeInstead: 'Type instead of holding',
  holdInstead: 'Hold instead of typing',
  typeToAllow: (value) => `Type ${value} to allow`,
  allowAll: (count) => `Allow all ${count} shown`,
  denyAll: (count) => `Deny all ${count}`,
  allWaiting: (count) => `${one(count, 'call waits', 'calls wait')} for you`,
  oneByOne: (count) =>
    `${one(count, 'call', 'calls')} marked danger or too long for this list must be allowed on ${count === 1 ? 'its' : 'their'} own.`,
  openFirst: (count) => `Open ${one(count, 'collapsed field', 'collapsed fields')} before allowing.`,
  loadingInput: 'Reading the input…',
  inputUnreadable: 'The input cannot be shown, so it cannot be allowed.',
  covered: 'Something covers this button. Move it away to allow.',
  alreadyEnded: 'This call has already ended. Nothing was changed.',
  expired: 'This approval has expired. The call was denied.',
  alreadyDecided: 'This call was already decided. Nothing was changed.',
  deniedByPolicy: 'A rule of this application denies the call.',
  decideFailed: (message) => `The decision did not go through: ${message}`,
  decided: { allow: 'Allowed.', deny: 'Denied.', answer: 'Answered.', cancelRun: 'Run stopped.' },
  changeInput: 'Change the input',
  giveResult: 'Give the result yourself',
  answer: 'Use this result',
  inputJson: 'Input as JSON',
  resultJson: 'Result as JSON',
  answerHint: 'The tool does not run. The program gets this value as its result.',
  notJson: (message) => `This is not JSON yet: ${message}`,
  issues: (count) => `${one(count, 'problem', 'problems')} to fix`,
  changes: (count) => one(count, 'change', 'changes'),
  noChanges: 'Nothing changed yet.',
  notEditable: 'This input holds values that JSON cannot carry, so it can be allowed or denied, not edited.',
  hiddenInEditor: 'Masked values keep their place as «hidden n» and are put back when you allow.',
  editorMissing: 'Part of the editor could not be loaded. The text above is what counts.',
  tryAgain: 'Try again',
  barWaiting: (count) => `${one(count, 'call waits', 'calls wait')} for your approval`,
  barTyping: 'Opens when you stop typing',
  review: 'Review',

  characters: (count) => one(count, 'character', 'characters'),
  entries: (count) => one(count, 'entry', 'entries'),
  collapsed: (count) => one(count, 'field collapsed', 'fields collapsed'),
  open: 'Open',
  reveal: 'Show',
  hide: 'Hide',
  masked: (characters) => `masked, ${one(characters, 'character', 'characters')}`,
  emptyLines: (count) => one(count, 'empty line', 'empty lines'),
  emptyText: 'empty text',
  invisible: (name) => `invisible character ${name}`,
  mixedScript: (script) => `Mixes Latin letters with look-alikes (${script}). Check it letter by letter.`,

  trace: 'Trace',
  traceEmpty: 'Nothing has run yet.',
  traceEmptyHint: 'Run a program, or ask the assistant for something that needs a tool. Every call shows up here.',
  traceMissing: 'The trace could not be loaded.',
  program: 'Program',
  details: 'Details',
  tree: 'Tree',
  timeline: 'Timeline',
  viewAs: 'View',
  compute: 'compute',
  memory: 'memory',
  callCount: 'calls',
  keptOut: 'kept out of the model',
  ofLimit: (used, limit) => `${used} / ${limit}`,
  parallel: (count) => `Promise.all ×${count}`,
  times: (count) => `× ${count}`,
  console: 'console',
  emitted: 'emit',
  result: 'result',
  error: 'error',
  warning: 'warning',
  waitsForRun: (title) => `waits for “${title}”`,
  computing: 'program computing',
  queue: 'queue',
  approval: 'approval',
  handler: 'handler',
  output: 'Output',
  proposedInput: 'Input the program sent',
  effectiveInput: 'Input that ran',
  decision: 'decision',
  decisions: {
    allow: 'allowed',
    deny: 'denied',
    answer: 'answered by a person',
    cancel_run: 'run stopped',
    expired: 'expired',
    ended: 'run ended first',
  },
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  exportRun: 'Export run as JSON',
  search: 'Search rows',
  filter: 'Status',
  allStatuses: 'all',
  nothingFound: 'No row matches.',
  clearSearch: 'Show all rows',
  nextFailure: (count) => `Next failure (${count})`,
  rows: (count) => one(count, 'row', 'rows'),
  failedInside: (count) => `${count} failed`,
  progress: (done, total) => `${done} of ${total}`,
  untitledRun: 'Program',
};
