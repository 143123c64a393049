/**
 * The application's own tools as definitions for a model, one by one: what a chat offers where code mode is off. A call is a
 * run of one call, so policy, approval, journal and trace are the same as for a call of a program.
 */
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { isCodeModeError } from '../errors.ts';
import { takeParts } from './content-parts.ts';
import { type Parsed, readArguments, toStandardSchema } from './model-arguments.ts';
import { outcomeText } from './model-text.ts';
import type { ModelResult, ModelTool, ModelToolCall } from './model-tools.ts';
import { wellFormed } from './model-words.ts';
import type { Run, RunOptions } from './types.ts';

export interface DirectToolsDeps {
  callTool(tool: string, input: unknown, options: RunOptions): Run;
  maxModelChars(): number;
}

type Tools = readonly ModelTool<unknown, ModelResult>[];

/** Those of one session: one definition a tool, the same list for as long as no definition changes, whatever becomes of the handlers. */
export function createDirectTools(deps: DirectToolsDeps): (catalog: Catalog) => Tools {
  let version: string | undefined;
  let tools: Tools = [];
  return (catalog) => {
    if (catalog.version !== version) {
      const taken = new Set<string>();
      tools = catalog.entries.map((entry) => define(entry, wireName(entry.identifier, taken), deps));
      ({ version } = catalog);
    }
    return tools;
  };
}

/** Longest name that chat interfaces take; they take ASCII letters, digits, `_` and `-`. */
const MAX_NAME = 64;

function wireName(identifier: string, taken: Set<string>): string {
  const plain = identifier.replaceAll(/[^\w-]/g, '_');
  let name = plain.slice(0, MAX_NAME);
  for (let n = 2; taken.has(name); n++) name = `${plain.slice(0, MAX_NAME - 1 - String(n).length)}_${n}`;
  taken.add(name);
  return name;
}

function define(entry: CatalogEntry, name: string, deps: DirectToolsDeps): ModelTool<unknown, ModelResult> {
  const parse = (input: unknown): Parsed<unknown> => readArguments(name, input);
  return {
    name,
    description: wellFormed(entry.description || entry.title),
    jsonSchema: entry.inputJsonSchema,
    inputSchema: toStandardSchema<unknown>(() => entry.inputJsonSchema, parse),
    async run(input, call = {}) {
      const parsed = parse(input);
      return parsed.ok ? perform(entry, parsed.value, call, deps) : { ok: false, text: parsed.message };
    },
  };
}

async function perform(
  entry: CatalogEntry,
  input: unknown,
  { callId, signal }: ModelToolCall,
  { callTool, maxModelChars }: DirectToolsDeps,
): Promise<ModelResult> {
  try {
    const run = callTool(entry.name, input, {
      title: entry.title,
      ...(callId !== undefined && { id: callId }),
      ...(signal && { signal }),
    });
    const outcome = await run.outcome;
    const { value, media } = takeParts(outcome.status === 'completed' ? outcome.value : undefined);
    const text = wellFormed(textOf(outcome.status === 'completed' ? { ...outcome, value } : outcome, maxModelChars()));
    const parts = [{ type: 'text' as const, text }, ...media];
    return { ok: outcome.status === 'completed', text, ...(media.length > 0 && { parts }), outcome, runId: run.id };
  } catch (error) {
    if (!isCodeModeError(error)) throw error;
    return { ok: false, text: `${error.code}: ${error.message}` };
  }
}

function textOf(outcome: Awaited<Run['outcome']>, maxChars: number): string {
  if (outcome.status === 'completed')
    return outcome.value === undefined ? 'Done.' : outcomeText(outcome, { source: '', maxChars });
  // There is no program whose lines could be shown.
  if (outcome.status === 'failed') return `${outcome.error.code}: ${outcome.error.message}`.slice(0, maxChars);
  return `Cancelled${outcome.reason ? `: ${outcome.reason}` : ''}.`.slice(0, maxChars);
}
