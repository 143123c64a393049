import type { StoredValue } from '../journal/events.ts';
import { decode } from '../protocol/codec.ts';
import type { CallView } from '../store/state.ts';
import type { CallSummary } from './types.ts';

type Facts = Omit<CallSummary, 'input' | 'output' | 'stored'>;

/** The call that a summary is of. Beside it, so that a copy of the summary is small. */
const views = new WeakMap<object, CallView>();

/** What is read only when somebody asks: a thousand calls are summed up without decoding two thousand values. */
const VALUES: Pick<CallSummary, 'input' | 'output' | 'stored'> = {
  get input() {
    return read(storedOf(this).input);
  },
  get output() {
    return read(storedOf(this).output);
  },
  get stored() {
    return storedOf(this);
  },
};

/** One call of a finished run, as the run's outcome has it. */
export function callSummary(call: CallView): CallSummary {
  const summary = Object.assign(Object.create(VALUES) as typeof VALUES, factsOf(call));
  views.set(summary, call);
  return summary;
}

function factsOf(call: CallView): Facts {
  const { id, ordinal, tool, status, site, error, requestedAt, startedAt, endedAt } = call;
  const waited = call.approval?.decidedAt === undefined ? 0 : call.approval.decidedAt - call.approval.requestedAt;
  return {
    callId: id,
    ordinal,
    tool,
    status,
    ...(site && { site }),
    requestedAt,
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt, durationMs: Math.max(0, endedAt - requestedAt - waited) }),
    ...(error && { error: { code: error.code, message: error.message } }),
    mayHaveApplied: call.risk !== 'read' && startedAt !== undefined && status !== 'succeeded',
    ...(call.risk === 'read' && { readOnly: true }),
    ...(call.simulated && { simulated: true }),
  };
}

function storedOf(summary: object): CallSummary['stored'] {
  const call = views.get(summary);
  if (!call) throw new TypeError('This is a copy of a call of an outcome: inputs and outputs are read from the outcome itself.');
  const { input, effectiveInput = input, output } = call;
  return { input: effectiveInput, ...(output && { output }) };
}

function read(stored: StoredValue | undefined): unknown {
  return stored && 'inline' in stored ? decode(stored.inline) : undefined;
}
