/** Every word of approval: dialog, inline, bar, permissions, plans, undo. Counts go through functions. */
import type { GrantMatch, GrantScope } from '../journal/events.ts';

/** How far an *Allow* reaches, as the menu beside it names it. */
export type ScopeName = 'once' | 'same' | 'next' | `${'run' | 'session' | 'always'}:${'input' | 'tool' | 'rule'}`;

/** Words about a call whose page was gone while it ran. */
export interface DoubtLabels {
  readonly question: (words: string) => string;
  readonly started: (time: string) => string;
  readonly what: string;
  readonly look: string;
  /** The three answers, as their buttons call them. */
  readonly happened: string;
  readonly run: string;
  readonly leave: string;
  readonly means: Readonly<Record<'happened' | 'run' | 'leave', string>>;
  readonly holdToRun: string;
  readonly typeToRun: (value: string) => string;
  readonly left: string;
}

/** What is wrong with a value, taken from the core's own English sentence about it. */
export interface SchemaProblem {
  /** Of JSON Schema, or `unknownField`, `notAllowed`, `noForm`, `severalForms`, `notJson`, `unchecked`, `more`. */
  readonly keyword: string;
  /** What it asks for, as text: a limit, a type, a list; may be empty. */
  readonly expected: string;
  /** Type of the value that was given. */
  readonly got?: string;
}

export interface ApprovalLabels {
  readonly position: (at: number, total: number) => string;
  readonly calls: (count: number) => string;
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
  readonly toolSays: string;
  readonly whyAsked: string;
  readonly expiresIn: (duration: string) => string;
  readonly allow: string;
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
  /** Below the field it is about. `message` is the core's own sentence with the field's name. */
  readonly schemaProblem: (problem: SchemaProblem, message: string) => string;
  readonly changes: (count: number) => string;
  readonly noChanges: string;
  readonly notEditable: string;
  readonly hiddenInEditor: string;
  readonly editorMissing: string;
  readonly tryAgain: string;
  readonly barWaiting: (count: number) => string;
  readonly barTyping: string;
  readonly review: string;

  // What it means
  readonly approvalNeeded: string;
  readonly undoable: Readonly<Record<'reads' | 'yes' | 'unknown' | 'never', string>>;
  readonly undoesCall: (tool: string) => string;
  /** The question where the application has no words for a call. */
  readonly runTool: (title: string) => string;
  readonly undoQuestion: (question: string) => string;
  readonly sameWaits: (count: number) => string;
  readonly allTogether: (path: string, each: string, total: string) => string;
  readonly allowSame: (count: number) => string;

  // A call that may have happened
  readonly doubt: DoubtLabels;

  // Permissions
  readonly scopeNames: Readonly<Record<ScopeName, string>>;
  readonly reach: Readonly<Record<'run' | 'session' | 'always' | 'next', string>>;
  readonly permission: (tool: string, match: GrantMatch, scope: GrantScope) => string;
  readonly willRun: (permission: string) => string;
  readonly alsoAllows: (count: number) => string;
  readonly nextCount: string;
  readonly onlyWhere: string;
  readonly condition: (field: string) => string;
  readonly comparison: (field: string) => string;
  readonly comparedWith: (field: string) => string;
  readonly comparisons: Readonly<Record<'<=' | '>=' | '=', string>>;
  readonly noCondition: string;
  readonly noConditionPossible: string;
  readonly notCovered: string;
  readonly remembered: (permission: string) => string;
  readonly notRemembered: string;
  readonly permissions: string;
  readonly noPermissions: string;
  readonly revoke: string;
  readonly revokeWhat: (permission: string) => string;
  readonly revoked: (permission: string) => string;
  readonly revokeFailed: (message: string) => string;
  readonly usedTimes: (count: number) => string;
  readonly leftCalls: (count: number) => string;

  // A program as a whole
  readonly plan: string;
  readonly planQuestion: string;
  readonly planTitle: string;
  readonly planTools: (count: number) => string;
  readonly planNamesNone: string;
  readonly planAnyOf: (count: number, named: number) => string;
  readonly planAsked: string;
  readonly planLines: (lines: string, count: number) => string;
  readonly planCovers: string;
  readonly allowPlan: string;
  readonly callByCall: string;
  readonly denyPlan: string;
  readonly planReasonHint: string;
  readonly planDecided: Readonly<Record<'allow' | 'callByCall' | 'deny', string>>;

  // Undo
  readonly undoRun: string;
  readonly undoHint: string;
  readonly undoCalls: (count: number) => string;
  readonly undoStays: (count: number) => string;
  readonly undoWhy: Readonly<Record<'no_revert' | 'tool_gone' | 'unfinished', string>>;
  readonly undoing: string;
  readonly undone: Readonly<Record<'undone' | 'partly' | 'failed' | 'nothing', string>>;
  readonly simulated: string;
  readonly takenBack: string;

  // Editing in a form
  readonly form: string;
  readonly json: string;
  readonly editAs: string;
  readonly fieldNumber: string;
  readonly fieldJson: string;
  readonly fieldSecret: string;
  readonly fieldAbsent: string;
  readonly optional: string;
}

const one = (count: number, single: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? single : many}`;

function englishMatch(match: GrantMatch): string {
  if (typeof match === 'object') return `where ${match.rule}`;
  return match === 'input' ? 'with exactly this input' : 'with any input';
}

function englishScope(scope: GrantScope): string {
  if (typeof scope === 'object') return `for the next ${one(scope.next, 'call', 'calls')} of this run`;
  return { run: 'for the rest of this run', session: 'for this session', always: 'always, until revoked' }[scope];
}

/** English words of approval. */
export const approvalLabels: ApprovalLabels = {
  position: (at, total) => `${at} of ${total}`,
  calls: (count) => one(count, 'call', 'calls'),
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
  toolSays: 'The tool says of itself',
  whyAsked: 'Why you are asked',
  expiresIn: (duration) => `Expires in ${duration}`,
  allow: 'Allow once',
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
    `${one(count, 'call', 'calls')} marked danger, in doubt or too long for this list must be allowed on ${count === 1 ? 'its' : 'their'} own.`,
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
  schemaProblem: (_problem, message) => message,
  changes: (count) => one(count, 'change', 'changes'),
  noChanges: 'Nothing changed yet.',
  notEditable: 'This input holds values that JSON cannot carry, so it can be allowed or denied, not edited.',
  hiddenInEditor: 'Masked values keep their place as «hidden n» and are put back when you allow.',
  editorMissing: 'Part of the editor could not be loaded. The text above is what counts.',
  tryAgain: 'Try again',
  barWaiting: (count) => `${one(count, 'call waits', 'calls wait')} for your approval`,
  barTyping: 'Opens when you stop typing',
  review: 'Review',

  approvalNeeded: 'Approval needed',
  undoable: {
    reads: 'Only reads, changes nothing',
    yes: 'Can be undone afterwards',
    unknown: 'No undo is offered',
    never: 'Cannot be undone from here',
  },
  runTool: (title) => `Run ${title}?`,
  undoQuestion: (question) => `Undo: ${question}`,
  undoesCall: (tool) => `Takes back what ${tool} did with this input.`,
  sameWaits: (count) => `${count.toLocaleString('en')} identical calls wait.`,
  allTogether: (path, each, total) => `${path}: ${each} each, ${total} together`,
  allowSame: (count) => `Allow all ${count}`,

  doubt: {
    question: (words) => `This may have happened already: ${words}`,
    started: (time) => `It started on ${time}.`,
    what: 'Its page was closed before it ended, and nobody knows whether it took effect.',
    look: 'Look where the effect would show, then choose:',
    happened: 'It happened…',
    run: 'Run it now',
    leave: 'Leave it',
    means: {
      happened: 'You give the result it had. Nothing runs.',
      run: 'Only if it did not happen. Otherwise it happens twice.',
      leave: 'Nothing runs. The program is told that it may have happened.',
    },
    holdToRun: 'Hold to run it now',
    typeToRun: (value) => `Type ${value} to run it now`,
    left: 'Left as it is. Nothing ran.',
  },

  scopeNames: {
    once: 'Once',
    same: 'All identical calls that wait',
    next: 'Identical calls of this run, so many',
    'run:input': 'This run: same input',
    'run:tool': 'This run: any input',
    'run:rule': 'This run: by a rule',
    'session:input': 'Session: same input',
    'session:tool': 'Session: any input',
    'session:rule': 'Session: by a rule',
    'always:input': 'Always: same input',
    'always:tool': 'Always: any input',
    'always:rule': 'Always: by a rule',
  },
  reach: {
    run: 'Allow for run',
    session: 'Allow for session',
    always: 'Allow always',
    next: 'Allow several',
  },
  permission: (tool, match, scope) => `${tool} ${englishMatch(match)}, ${englishScope(scope)}`,
  willRun: (permission) => `Will run without asking: ${permission}.`,
  alsoAllows: (count) => `${one(count, 'call that waits now goes', 'calls that wait now go')} with it.`,
  nextCount: 'More calls like this one',
  onlyWhere: 'Only where',
  condition: (field) => `Condition on ${field}`,
  comparison: (field) => `Comparison of ${field}`,
  comparedWith: (field) => `Value for ${field}`,
  comparisons: { '<=': 'at most', '>=': 'at least', '=': 'is' },
  noCondition: 'Set at least one condition, each with a value of its kind.',
  noConditionPossible: 'This input has no plain field that a rule could look at.',
  notCovered: 'This very call would not be covered by the rule. It runs this once; later calls follow the rule.',
  remembered: (permission) => `Allowed. Remembered: ${permission}.`,
  notRemembered: 'Allowed once. It could not be remembered.',
  permissions: 'Permissions',
  noPermissions: 'No permission is in force: every call that needs one asks.',
  revoke: 'Revoke',
  revokeWhat: (permission) => `Revoke: ${permission}`,
  revoked: (permission) => `Revoked: ${permission}. Calls that have not started ask again.`,
  revokeFailed: (message) => `Revoked here, but the application could not forget it: ${message}`,
  usedTimes: (count) => `let ${one(count, 'call', 'calls')} go`,
  leftCalls: (count) => `${count.toLocaleString('en')} left`,

  plan: 'program',
  planQuestion: 'Run this program?',
  planTitle: 'The assistant calls it',
  planTools: (count) => `It names ${one(count, 'tool', 'tools')}`,
  planNamesNone: 'It names no tool.',
  planAnyOf: (count, named) =>
    `It picks a tool by a computed name, so it may call any of ${one(count, 'tool', 'tools')}. ${
      named === 0 ? 'Each call will be asked about.' : 'What you allow covers the named ones; every other call is asked about.'
    }`,
  planAsked: 'asked about each time',
  planLines: (lines, count) => `${count === 1 ? 'line' : 'lines'} ${lines}`,
  planCovers: 'Allowed, the named tools run without asking, with any input, until the program ends.',
  allowPlan: 'Allow program',
  callByCall: 'Call by call',
  denyPlan: 'Do not run',
  planReasonHint: 'Optional. The assistant reads it.',
  planDecided: {
    allow: 'Program allowed.',
    callByCall: 'The program starts; each call is judged by itself.',
    deny: 'Program not run.',
  },

  undoRun: 'Undo…',
  undoHint: 'Last call first; what needs approval asks.',
  undoCalls: (count) => `Undo ${one(count, 'call', 'calls')}`,
  undoStays: (count) => `${one(count, 'call stays', 'calls stay')} as done`,
  undoWhy: { no_revert: 'has no undo', tool_gone: 'the tool is gone', unfinished: 'unfinished: may have applied a part' },
  undoing: 'Undoing…',
  undone: { undone: 'Undone.', partly: 'Undone in part.', failed: 'Nothing was undone.', nothing: 'There is nothing to undo.' },
  simulated: 'simulated',
  takenBack: 'undone',

  form: 'Form',
  json: 'JSON',
  editAs: 'Edit as',
  fieldNumber: 'This is not a number.',
  fieldJson: 'This is not JSON yet.',
  fieldSecret: 'masked; stays as it is',
  fieldAbsent: 'not set',
  optional: 'optional',
};
