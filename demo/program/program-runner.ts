import type { ModelResult, Session } from 'react-code-mode/core';

/** Where the program of the editor stands. */
export type ProgramState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly runId: string }
  | { readonly phase: 'done'; readonly runId: string; readonly result: ModelResult };

/** Runs the editor's program. Lives beside the session, so that leaving the view ends nothing. */
export interface ProgramRunner {
  getState(): ProgramState;
  subscribe(listener: () => void): () => void;
  /** Starts a run; does nothing while one is on. */
  start(code: string, title: string): void;
  cancel(): void;
}

/** `session.modelTools.executeCode` gives the outcome and, beside it, the very text a model would read. */
export function createProgramRunner(session: Session): ProgramRunner {
  const listeners = new Set<() => void>();
  let state: ProgramState = { phase: 'idle' };
  let abort: AbortController | undefined;
  const set = (next: ProgramState): void => {
    state = next;
    for (const listener of listeners) listener();
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(code, title) {
      if (state.phase === 'running') return;
      const runId = crypto.randomUUID();
      abort = new AbortController();
      set({ phase: 'running', runId });
      session.modelTools.executeCode.run({ code, title }, { callId: runId, signal: abort.signal }).then(
        (result) => set({ phase: 'done', runId, result }),
        (error: unknown) => set({ phase: 'done', runId, result: { ok: false, text: String(error) } }),
      );
    },
    cancel() {
      abort?.abort('by the Cancel button');
    },
  };
}
