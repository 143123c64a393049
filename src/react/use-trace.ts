'use client';
import type { Session } from '../session/types.ts';
import type { CallView, RunView, SessionState } from '../store/state.ts';
import { useSelected } from './use-selected.ts';
import { useSession } from './use-session.ts';
import { callById } from '../store/calls.ts';

export interface SessionChoice {
  /** @default the provider's session */
  readonly session?: Session;
}

const whole = (state: SessionState): SessionState => state;

/** The whole read model of the session; renders with every batch of facts. */
export function useTrace(selector?: undefined, options?: SessionChoice): SessionState;
/** What `selector` picks, e.g. `useTrace((s) => s.runOrder.map((id) => s.runs[id]))`; renders when it changed (shallow). */
export function useTrace<T>(selector: (state: SessionState) => T, options?: SessionChoice): T;
export function useTrace<T>(selector?: (state: SessionState) => T, options: SessionChoice = {}): T | SessionState {
  const session = useSession(options.session);
  return useSelected<T | SessionState>(session, selector ?? whole);
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
