/**
 * Every word the views show or say. Counts go through functions, so that each language has its own plurals.
 * English is the default; `germanLabels` (labels-de.ts) is complete; others start from these types.
 */
import { type ApprovalLabels, approvalLabels } from './labels-approval.ts';
import { type TraceLabels, traceLabels } from './labels-trace.ts';
import type { CallStatus, RunStatus } from '../store/state.ts';
import type { RiskWord } from '../journal/events.ts';

export interface Labels extends ApprovalLabels, TraceLabels {
  /** Language of numbers and durations. */
  readonly locale: string;
  readonly risk: Readonly<Record<RiskWord, string>>;
  readonly runStatus: Readonly<Record<RunStatus, string>>;
  /** Of a run whose page was gone. */
  readonly continueRun: string;
  /** Of a run that cannot be continued. */
  readonly startAgain: string;
  readonly callStatus: Readonly<Record<CallStatus, string>>;

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
  ...approvalLabels,
  ...traceLabels,
  locale: 'en',
  risk: { read: 'read', write: 'write', danger: 'danger' },
  continueRun: 'Continue',
  startAgain: 'Start again',
  runStatus: {
    queued: 'queued',
    running: 'running',
    waiting: 'waiting for you',
    interrupted: 'interrupted',
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
  allStatuses: 'all statuses',
  nothingFound: 'No row matches.',
  clearSearch: 'Show all rows',
  nextFailure: (count) => `Next failure (${count})`,
  rows: (count) => one(count, 'row', 'rows'),
  failedInside: (count) => `${count} failed`,
  progress: (done, total) => `${done} of ${total}`,
  untitledRun: 'Program',
};
