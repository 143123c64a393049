'use client';
import { type Context, createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';
import type { Labels } from '../labels.ts';
import type { Format } from '../text/format.ts';
import type { TraceSource } from './trace-source.ts';

export interface Linked {
  readonly line: number | undefined;
}

/** What all parts of a trace panel share. */
export interface TraceModel {
  /** What is shown: the session's present or past, or a recorded run. */
  readonly source: TraceSource | undefined;
  /** What can be acted upon: absent while the past or a recording is shown. */
  readonly session: Session | undefined;
  readonly labels: Labels;
  readonly format: Format;
  readonly canReview: boolean;
  /** The line under the pointer, in the program or of a row. A store, so that only what it lights renders. */
  readonly links: StoreApi<Linked>;
}

export const TraceContext: Context<TraceModel | undefined> = createContext<TraceModel | undefined>(undefined);

/** @throws Error outside of a `TracePanel` */
export function useTraceModel(): TraceModel {
  const model = useContext(TraceContext);
  if (!model) throw new Error('This part of the trace stands outside of <TracePanel>. Put it inside, or use useTrace().');
  return model;
}

/** Whether this line is the one under the pointer. */
export function useIsLinked(line: number | undefined): boolean {
  return useStore(useTraceModel().links, (linked) => line !== undefined && linked.line === line);
}
