'use client';
import { useMemo } from 'react';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { StoredValue } from '../../journal/events.ts';
import type { CallView, RunView } from '../../store/state.ts';
import type { Labels } from '../labels.ts';
import { compact, summarize } from '../text/describe-value.ts';
import { safePreview, secretPaths } from '../../journal/secrets.ts';
import { type ReadState, useValue } from '../use-value.ts';
import type { TraceNode } from './nodes.ts';
import { useTraceModel } from './trace-context.ts';

type Progress = { readonly done?: number; readonly total?: number; readonly message?: string };

/** The words in the middle of a row. */
export interface RowWords {
  /** Short input of a call; `''` when it has none, `undefined` for other rows. */
  readonly input: string | undefined;
  /** Short output, error, or the text of the row. */
  readonly text: string;
  readonly failed: boolean;
  readonly progress: Progress | undefined;
  /** All of it, for the row's name. */
  readonly said: string;
}

export function useRowWords(node: TraceNode): RowWords {
  const { source, labels, format } = useTraceModel();
  const call = node.kind === 'call' ? node.call : undefined;
  const facts = call && source?.tool?.(call.tool);
  const input = useShort(call?.input, facts?.inputJsonSchema, 80);
  const value = useShort(call?.output ?? outputOf(node), facts?.outputJsonSchema, 60);
  if (!call) {
    const text = plainWords(node, value, labels);
    return { input: undefined, text, failed: node.kind === 'error', progress: undefined, said: text };
  }
  const { progress, error, outputBytes } = call;
  const size = outputBytes !== undefined && outputBytes >= 1_000 ? `, ${format.bytes(outputBytes)}` : '';
  const text = error ? error.message : value === undefined ? '' : value + size;
  const given = input === undefined || input === '{}' ? '' : input;
  const said = [given, text, progressWords(progress, labels), ...callWords(call, labels)].filter(Boolean).join(', ');
  return { input: given, text, failed: error !== undefined, progress, said };
}

function outputOf(node: TraceNode): StoredValue | undefined {
  return node.kind === 'emit' ? node.item.value : node.kind === 'result' ? node.value : undefined;
}

function plainWords(node: TraceNode, value: string | undefined, labels: Labels): string {
  switch (node.kind) {
    case 'console':
      return node.item.text;
    case 'emit':
    case 'result':
      return value ?? '';
    case 'warning':
      return node.warning.message;
    case 'error':
      return `${node.error.code}: ${node.error.message}`;
    case 'cancelled':
      return node.reason;
    case 'run':
      return runWords(node.run, labels);
    case 'plan':
      return [node.plan.tools.map(({ tool }) => tool).join(', '), node.plan.decisionReason].filter(Boolean).join(' · ');
    default:
      return '';
  }
}

/** What a run waits for or belongs to. */
function runWords({ waitsFor, undoes, retries }: RunView, labels: Labels): string {
  if (waitsFor !== undefined) return labels.waitsForRun(waitsFor);
  if (undoes !== undefined) return `${labels.undoRow} ${undoes}`;
  return retries ? `${labels.retryRow}: ${retries.runId}` : '';
}

/** What is special about a call, beside its status. */
function callWords({ approval, deferred, endedAt }: CallView, labels: Labels): string[] {
  const words: string[] = [];
  if (approval?.decision === 'allow' || approval?.decision === 'answer') words.push(labels.decisions[approval.decision]);
  if (deferred !== undefined && endedAt === undefined) words.push(labels.deferredResult);
  return words;
}

/** A value in a few words, secrets masked. What is not in place is not fetched for a row. */
function useShort(stored: StoredValue | undefined, schema: JsonSchema | undefined, limit: number): string | undefined {
  const { source, labels } = useTraceModel();
  const large = stored !== undefined && !('inline' in stored);
  const atOnce = useMemo(() => (stored && 'inline' in stored ? plainValue(stored.inline) : undefined), [stored]);
  const later = useValue(source, large || atOnce ? undefined : stored);
  const read = atOnce ?? later;
  return useMemo(() => {
    if (stored === undefined) return undefined;
    if (large) return safePreview(stored.preview, schema, limit);
    if (read.status !== 'ready') return read.status === 'failed' ? '…' : '';
    const secrets = secretPaths(read.value, schema);
    return limit > 60 ? compact(read.value, limit, secrets) : summarize(read.value, labels, limit, secrets);
  }, [stored, large, read, schema, limit, labels]);
}

/** Longest text that a row reads while it is drawn: a tenth of a millisecond. UTF-16 units. */
const MAX_AT_ONCE = 4_000;

/**
 * The value of a short text that is JSON as it stands, so that a row that scrolls into sight is drawn once and not twice.
 * What JSON cannot say is marked by keys that end in `$t` (docs/journal-format.md).
 */
function plainValue(text: string): ReadState | undefined {
  if (text.length > MAX_AT_ONCE || text.includes('$t"')) return undefined;
  try {
    return { status: 'ready', value: JSON.parse(text) as unknown };
  } catch {
    // Of a file that somebody made: the session says what is wrong.
    return undefined;
  }
}

/** `pages, 42 of 100`: what it is doing, then how far it is. */
export function progressWords(progress: Progress | undefined, labels: Labels): string {
  if (!progress) return '';
  const { done, total, message } = progress;
  const count = done === undefined ? '' : total === undefined ? String(done) : labels.progress(String(done), String(total));
  return [message, count].filter(Boolean).join(', ');
}
