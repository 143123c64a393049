'use client';
import { type Context, createContext, useContext } from 'react';
import type { Session } from '../../session/types.ts';
import type { Labels } from '../labels.ts';
import type { Format } from '../text/format.ts';

/** What all parts of a trace panel share. */
export interface TraceModel {
  readonly session: Session | undefined;
  readonly labels: Labels;
  readonly format: Format;
  readonly canReview: boolean;
  /** Line of the program under the pointer, or of the row under it. */
  readonly linkedLine: number | undefined;
  linkLine(line: number | undefined): void;
}

export const TraceContext: Context<TraceModel | undefined> = createContext<TraceModel | undefined>(undefined);

/** @throws Error outside of a `TracePanel` */
export function useTraceModel(): TraceModel {
  const model = useContext(TraceContext);
  if (!model) throw new Error('This part of the trace stands outside of <TracePanel>. Put it inside, or use useTrace().');
  return model;
}
