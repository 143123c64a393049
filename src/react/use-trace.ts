'use client';
import type { RecordedRun } from '../journal/run-file.ts';
import type { Session } from '../session/types.ts';
import type { CallView, RunView, SessionState } from '../store/state.ts';
import { useSelected } from './use-selected.ts';
import { useSession } from './use-session.ts';
import { callById } from '../store/calls.ts';
import { recordingSource } from './trace/trace-source.ts';

export interface SessionChoice {
  /** @default the provider's session */
  readonly session?: Session;
}

/** Whose trace: a session's, or that of a run that was loaded from a file. */
export interface TraceChoice extends SessionChoice {
  /** What `importRunFile` gave, instead of a session. `useTimeTravel` goes through it event by event. */
  readonly recording?: RecordedRun;
}

const whole = (state: SessionState): SessionState => state;

/** The whole read model of the session; renders with every batch of facts. */
export function useTrace(selector?: undefined, options?: TraceChoice): SessionState;
/** What `selector` picks, e.g. `useTrace((s) => s.runOrder.map((id) => s.runs[id]))`; renders when it changed (shallow). */
export function useTrace<T>(selector: (state: SessionState) => T, options?: TraceChoice): T;
export function useTrace<T>(selector?: (state: SessionState) => T, options: TraceChoice = {}): T | SessionState {
  const session = useSession(options.session);
  const source = options.recording ? recordingSource(options.recording) : session;
  return useSelected<T | SessionState>(source, selector ?? whole);
}

export const runsOf = (state: SessionState): RunView[] => state.runOrder.map((id) => state.runs[id]!);
export const pendingOf = (state: SessionState): CallView[] => state.pending.map((id) => callById(state, id)!);

/** Runs of the session, oldest first. */
export function useRuns(options: SessionChoice = {}): readonly RunView[] {
  return useSelected(useSession(options.session), runsOf);
}

/** Calls that wait for a person, first asked first. */
export function usePending(options: SessionChoice = {}): readonly CallView[] {
  return useSelected(useSession(options.session), pendingOf);
}
