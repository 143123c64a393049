'use client';
import { useCallback, useContext, useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createCodeMode } from '../session/create-code-mode.ts';
import type { ModelResult, ModelTool, ModelTools } from '../session/model-tools.ts';
import type { CodeMode, CodeModeOptions, Run, RunOptions, Session } from '../session/types.ts';
import type { Decision, DecisionReceipt } from '../policy/types.ts';
import type { CallView, RunView } from '../store/state.ts';
import { ScopeContext } from './context.ts';
import { changedOptions } from './changed-options.ts';
import { createSessionCell } from './session-cell.ts';
import { createOwner, type Owned, type Owner, type OwnerSettings } from './owned-code-mode.ts';
import { usePerformanceMeasures } from './use-performance-measures.ts';
import { useSelected } from './use-selected.ts';
import { useAttachedSession } from './use-session.ts';
import { pendingOf, runsOf } from './use-trace.ts';

/** Options of a code mode that the component owns. Handlers and callbacks of the latest render are the ones called. */
export interface OwnedCodeModeOptions<C = any> extends CodeModeOptions<C> {
  /** Names the conversation; a component that mounts with the same id within 1 s takes the old one's code mode over. */
  readonly sessionId?: string;
  /** The application's own context, for handlers and policies. */
  readonly context?: C;
  /** `false`: no programs; `offered` is then the application's tools, one by one. @default true */
  readonly enabled?: boolean;
}

/** Use of a code mode that somebody else owns. */
export interface AttachedCodeModeOptions<C = any> {
  /** @default the provider's */
  readonly codeMode?: CodeMode<C>;
  /** @default the provider's session */
  readonly sessionId?: string;
  /** `false`: no programs; `offered` is then the application's tools, one by one. @default true */
  readonly enabled?: boolean;
}

export interface CodeModeHandle<C = any> {
  /** For the chat library. The same object in every render; a call waits until the code mode exists. */
  readonly tools: ModelTools;
  /**
   * What to give to the model now: the three `tools`, or with `enabled: false` the application's own tools, each under the same
   * policy, approval and trace. Then empty until they are known, and a new list when a definition changes.
   */
  readonly offered: readonly ModelTool<unknown, ModelResult>[];
  /** `undefined` on a server and until the first effect. */
  readonly session: Session<C> | undefined;
  readonly codeMode: CodeMode<C> | undefined;
  /** Runs a program. Not during rendering. @throws CodeModeError `invalid_options`, `session_disposed` */
  run(code: string, options?: RunOptions<C>): Run;
  readonly runs: readonly RunView[];
  readonly pending: readonly CallView[];
  decide(callId: string, decision: Decision): Promise<DecisionReceipt>;
}

/**
 * Code mode for a component. With `tools` the component owns one: made in an effect, disposed 1 s after the last unmount,
 * taken over by a remount (StrictMode, hot reload). Without, it attaches to the provider's (or `codeMode`) and ends nothing.
 */
export function useCodeMode<C = any>(options: OwnedCodeModeOptions<C>): CodeModeHandle<C>;
export function useCodeMode<C = any>(options?: AttachedCodeModeOptions<C>): CodeModeHandle<C>;
export function useCodeMode(options: OwnedCodeModeOptions | AttachedCodeModeOptions = {}): CodeModeHandle {
  const scope = useContext(ScopeContext);
  const enabled = options.enabled ?? true;
  const owns = 'tools' in options && options.tools !== undefined;
  const owner = useOwner(owns ? options : undefined);
  const owned = useSyncExternalStore(owner.subscribe, owner.getSnapshot, none);
  const shared = owns ? undefined : ((options as AttachedCodeModeOptions).codeMode ?? scope.codeMode);
  const inherits = !owns && options.sessionId === undefined && shared === scope.codeMode && scope.session !== undefined;
  const opened = useAttachedSession(inherits ? undefined : shared, options.sessionId);
  const attached = inherits ? scope.session : opened;
  const session = owns ? owned?.session : attached;
  const codeMode = owns ? owned?.codeMode : shared;
  usePerformanceMeasures(session);

  const [cell] = useState(createSessionCell);
  useInsertionEffect(() => cell.set({ session, ensure: () => (owns ? owner.ensure().session : undefined), off: !enabled }));
  const run = useCallback((code: string, o?: RunOptions) => cell.forPrograms().run(code, o), [cell]);
  const decide = useCallback((callId: string, decision: Decision) => cell.session().decide(callId, decision), [cell]);
  const { tools } = cell;
  const direct = useDirectTools(enabled ? undefined : session, owns ? options.tools : undefined);
  const offered = enabled ? cell.offered : direct;
  const runs = useSelected(session, runsOf);
  const pending = useSelected(session, pendingOf);

  return useMemo(
    () => ({ tools, offered, session, codeMode, run, runs, pending, decide }),
    [tools, offered, session, codeMode, run, runs, pending, decide],
  );
}

const none = (): Owned | undefined => undefined;

const NO_TOOLS: CodeModeHandle['offered'] = [];

/** The session's own tools as definitions. @param from asked again when it is another: the list is the same until a definition is */
function useDirectTools(session: Session | undefined, from: unknown): CodeModeHandle['offered'] {
  const [found, setFound] = useState<{ readonly of: Session; readonly tools: CodeModeHandle['offered'] }>();
  useEffect(() => {
    if (!session) return undefined;
    let gone = false;
    const keep = (tools: CodeModeHandle['offered']): void => {
      if (!gone) setFound((old) => (old?.of === session && old.tools === tools ? old : { of: session, tools }));
    };
    // What cannot be loaded, or is no catalogue any more, offers nothing; the next change asks again.
    session.directTools().then(keep, () => keep(NO_TOOLS));
    return () => {
      gone = true;
    };
  }, [session, from]);
  return found !== undefined && found.of === session ? found.tools : NO_TOOLS;
}

/** The component's own code mode. `undefined` options: it owns none. */
function useOwner(options: OwnedCodeModeOptions | undefined): Owner {
  const [owner] = useState(() => createOwner(createCodeMode, options && split(options)));
  // Before any other effect, so that a child's effect already runs with this render's options.
  useInsertionEffect(() => owner.configure(options && split(options)));
  const owns = options !== undefined;
  useEffect(() => (owns ? owner.acquire() : undefined), [owner, owns]);
  useUpdates(owner, options);
  return owner;
}

/** Tells the code mode what changed since the options it has. */
function useUpdates(owner: Owner, options: OwnedCodeModeOptions | undefined): void {
  const told = useRef<{ readonly to: Owned; readonly options: CodeModeOptions }>(undefined);
  useEffect(() => {
    const owned = owner.getSnapshot();
    if (!owned || !options) return;
    const next = split(options).options;
    const before = told.current;
    told.current = { to: owned, options: next };
    const changes = before?.to === owned ? changedOptions(before.options, next) : undefined;
    if (changes) owned.codeMode.update(changes);
  });
}

function split({ sessionId, context, enabled: _, ...options }: OwnedCodeModeOptions): OwnerSettings {
  return {
    options,
    session: { ...(sessionId !== undefined && { id: sessionId }), ...(context !== undefined && { context }) },
  };
}
