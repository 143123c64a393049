import type { StoredValue } from '../../journal/events.ts';
import type { RunFile, ToolSchemas } from '../../journal/run-file.ts';
import { masked, secretPaths } from '../../journal/secrets.ts';
import type { CallView } from '../../store/state.ts';
import { plainJson } from '../text/describe-value.ts';
import type { TraceSource } from './trace-source.ts';

export interface ExportOptions {
  /** Replace secrets, by the tools' schemas and by the names of fields. @default true */
  readonly mask?: boolean;
}

/** One call as plain data, values decoded, secrets masked. */
export async function exportCall(
  source: TraceSource,
  call: CallView,
  options: ExportOptions = {},
): Promise<Record<string, unknown>> {
  const facts = source.tool?.(call.tool);
  const read = (stored: StoredValue | undefined, schema: Parameters<typeof secretPaths>[1]): Promise<unknown> =>
    readMasked(source, stored, schema, options);
  const { input, effectiveInput, output, approval, ...rest } = call;
  return {
    ...rest,
    input: await read(input, facts?.inputJsonSchema),
    ...(effectiveInput && { effectiveInput: await read(effectiveInput, facts?.inputJsonSchema) }),
    ...(output && { output: await read(output, facts?.outputJsonSchema) }),
    ...(approval && { approval: { ...approval, input: await read(approval.input, facts?.inputJsonSchema) } }),
  };
}

/**
 * A run with everything that happened in it, ready for `JSON.stringify`; `importRunFile` and `<TracePanel recording>` take
 * it again. It is `exportRunFile` with the schemas of the session's tools.
 * @throws CodeModeError `invalid_options` for a run that is not in the journal
 */
export async function exportRun(source: TraceSource, runId: string, options: ExportOptions = {}): Promise<RunFile> {
  const { exportRunFile } = await import('../../journal/run-file.ts');
  const schemas = (name: string): ToolSchemas | undefined => {
    const facts = source.tool?.(name);
    return facts && { input: facts.inputJsonSchema, output: facts.outputJsonSchema };
  };
  return exportRunFile(source.journal, runId, { ...options, schemas });
}

async function readMasked(
  source: TraceSource,
  stored: StoredValue | undefined,
  schema: Parameters<typeof secretPaths>[1],
  { mask = true }: ExportOptions,
): Promise<unknown> {
  if (!stored) return undefined;
  const value = await source.readValue(stored);
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
