import type { StoredValue } from '../../journal/events.ts';
import type { Session } from '../../session/types.ts';
import type { CallView, RunView } from '../../store/state.ts';
import { plainJson } from '../text/describe-value.ts';
import { masked, secretPaths } from '../../journal/secrets.ts';

export interface ExportOptions {
  /** Replace secrets. @default true */
  readonly mask?: boolean;
}

/** One call as plain data, values decoded, secrets masked. */
export async function exportCall(
  session: Session,
  call: CallView,
  options: ExportOptions = {},
): Promise<Record<string, unknown>> {
  const facts = session.tool?.(call.tool);
  const read = (stored: StoredValue | undefined, schema: Parameters<typeof secretPaths>[1]): Promise<unknown> =>
    readMasked(session, stored, schema, options);
  const { input, effectiveInput, output, approval, ...rest } = call;
  return {
    ...rest,
    input: await read(input, facts?.inputJsonSchema),
    ...(effectiveInput && { effectiveInput: await read(effectiveInput, facts?.inputJsonSchema) }),
    ...(output && { output: await read(output, facts?.outputJsonSchema) }),
    ...(approval && { approval: { ...approval, input: await read(approval.input, facts?.inputJsonSchema) } }),
  };
}

/** A run with everything that happened in it, ready for `JSON.stringify`. */
export async function exportRun(session: Session, runId: string, options: ExportOptions = {}): Promise<Record<string, unknown>> {
  const state = session.store.getState();
  const run = state.runs[runId];
  if (!run)
    throw new Error(`There is no run ${runId} in the session ${session.id}. Ids of its runs are in store.getState().runOrder.`);
  const calls = await Promise.all(run.calls.map((call) => exportCall(session, call, options)));
  const { value, items, calls: _, ...rest } = run as RunView;
  return {
    format: 'react-code-mode/run@1',
    sessionId: session.id,
    ...rest,
    ...(value && { value: await readMasked(session, value, undefined, options) }),
    items: await Promise.all(
      items.map(async (item) =>
        item.kind === 'emit' ? { ...item, value: await readMasked(session, item.value, undefined, options) } : item,
      ),
    ),
    calls,
  };
}

async function readMasked(
  session: Session,
  stored: StoredValue | undefined,
  schema: Parameters<typeof secretPaths>[1],
  { mask = true }: ExportOptions,
): Promise<unknown> {
  if (!stored) return undefined;
  const value = await session.readValue(stored);
  const safe = mask ? masked(value, secretPaths(value, schema)) : value;
  // What JSON cannot carry leaves as the codec's own text, unless it holds something to mask.
  if (safe === undefined || plainJson(safe) !== undefined) return safe;
  if (mask && secretPaths(value, schema).size > 0) return '(masked)';
  return 'inline' in stored ? { encoded: stored.inline } : { encodedPreview: stored.preview, bytes: stored.bytes };
}

/** Hands a file to the person. */
export function saveJson(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
