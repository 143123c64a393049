/** Words of the trace beyond its rows: time travel, recordings, who decided, where the time went. */
import type { DecidedBy, EventType } from '../journal/events.ts';

export interface TraceLabels {
  // Where the time of a run or call went
  readonly transfer: string;
  readonly timeSpent: string;
  readonly spent: Readonly<Record<'tools' | 'people' | 'program' | 'queued', string>>;

  // Finding rows
  readonly toolFilter: string;
  readonly allTools: string;
  readonly dropped: (count: number) => string;

  // Who decided, and what belongs to what
  readonly judgedBy: Readonly<Record<DecidedBy, string>>;
  readonly permittedBy: (permission: string) => string;
  readonly planState: Readonly<Record<'waiting' | 'allow' | 'call_by_call' | 'deny' | 'expired' | 'ended', string>>;
  readonly undoRow: string;
  readonly retryRow: string;
  readonly deferredResult: string;

  // Pages and storage
  readonly viewerNote: string;
  readonly openingNote: string;
  readonly damageNote: (lost: number) => string;
  readonly removedNote: (runs: number) => string;

  // A chat message
  readonly showTrace: string;
  readonly hideTrace: string;
  readonly morePhases: (count: number) => string;

  // Recordings and time travel
  readonly recording: string;
  readonly recordingNote: string;
  readonly recordingMasked: string;
  readonly recordingDamaged: string;
  readonly timeTravel: string;
  readonly moment: (at: string, total: string) => string;
  readonly firstMoment: string;
  readonly previousMoment: string;
  readonly nextMoment: string;
  readonly lastMoment: string;
  readonly backToLive: string;
  readonly pendingThen: (count: number) => string;
  readonly events: Readonly<Record<EventType, string>>;
}

const one = (count: number, single: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? single : many}`;

export const traceLabels: TraceLabels = {
  transfer: 'transfer',
  timeSpent: 'Where the time went',
  spent: { tools: 'tools', people: 'people', program: 'program', queued: 'queued' },

  toolFilter: 'Tool',
  allTools: 'all tools',
  dropped: (count) => `${one(count, 'earlier row', 'earlier rows')} not shown`,

  judgedBy: {
    default: 'by its defaults',
    rule: 'by a rule',
    needs_approval: 'the tool asks for approval',
    on_tool_call: 'by the application',
    grant: 'by a permission',
    plan: 'by the allowed program',
  },
  permittedBy: (permission) => `Permitted by: ${permission}`,
  planState: {
    waiting: 'waiting for you',
    allow: 'allowed',
    call_by_call: 'call by call',
    deny: 'denied',
    expired: 'expired',
    ended: 'run ended first',
  },
  undoRow: 'takes back',
  retryRow: 'does it over',
  deferredResult: 'result comes later',

  viewerNote: 'Open in another tab, which runs the programs. What happens shows here as well, and you can decide here.',
  openingNote: 'Opening the stored conversation.',
  damageNote: (lost) => `The end of the stored record was not readable: ${one(lost, 'record', 'records')} set aside.`,
  removedNote: (runs) => `${one(runs, 'older run was', 'older runs were')} removed to save space.`,

  showTrace: 'Show the whole trace',
  hideTrace: 'Hide the trace',
  morePhases: (count) => `${one(count, 'earlier step', 'earlier steps')}`,

  recording: 'Recording',
  recordingNote: 'A recorded run. Nothing of it is executed.',
  recordingMasked: 'Secrets were replaced when it was saved.',
  recordingDamaged: 'The file was cut off or changed; what is good of it is shown.',
  timeTravel: 'Step through',
  moment: (at, total) => `event ${at} of ${total}`,
  firstMoment: 'First event',
  previousMoment: 'Previous event',
  nextMoment: 'Next event',
  lastMoment: 'Last event',
  backToLive: 'Back to now',
  pendingThen: (count) => one(count, 'call waits', 'calls wait'),
  events: {
    'catalog.changed': 'tools changed',
    'journal.damaged': 'record damaged',
    'journal.trimmed': 'old runs removed',
    'state.lost': 'session state lost',
    'state.forgotten': 'session state forgotten, as asked',
    'run.queued': 'run queued',
    'run.started': 'run started',
    'run.waiting': 'run waits',
    'run.resumed': 'run goes on',
    'run.interrupted': 'run interrupted',
    'run.completed': 'run completed',
    'run.failed': 'run failed',
    'run.cancelled': 'run cancelled',
    'output.written': 'console line',
    'output.emitted': 'value shown',
    'tool_call.requested': 'call requested',
    'policy.evaluated': 'call judged',
    'approval.requested': 'person asked',
    'approval.decided': 'person decided',
    'approval.expired': 'question expired',
    'grant.created': 'permission given',
    'grant.revoked': 'permission ended',
    'plan.requested': 'program put to a person',
    'plan.decided': 'program decided',
    'undo.requested': 'undo begins',
    'tool_call.started': 'handler started',
    'tool_call.deferred': 'result put off',
    'limit.released': 'limit given back',
    'tool_call.progressed': 'progress',
    'tool_call.succeeded': 'call succeeded',
    'tool_call.failed': 'call failed',
    'tool_call.denied': 'call denied',
    'tool_call.cancelled': 'call cancelled',
    'tool_call.interrupted': 'call interrupted',
    'tool_call.replayed': 'call replayed',
    'question.answered': 'question answered',
    delivery: 'program got the results',
  },
};
