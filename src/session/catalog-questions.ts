import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { decode, encode } from '../protocol/codec.ts';
import type { WireCall, WireReply } from '../protocol/wire.ts';
import { callError, wireError } from './call-errors.ts';

const MAX_HITS = 20;

/** Answers `codemode.search(query)` and `codemode.describe(name)`. They read the catalogue, so nobody is asked. */
export async function answerQuestion(catalog: Catalog, call: WireCall): Promise<WireReply> {
  try {
    const asked = decode(call.input);
    const answer = call.kind === 'search' ? search(catalog, asked) : describe(catalog, asked);
    if (answer !== undefined) return { id: call.id, ok: true, value: encode(answer) };
    const suggestions = catalog.suggest(String(asked));
    const error = callError(
      'tool_not_found',
      `There is no tool ${JSON.stringify(asked)}.${suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : ''}`,
      { suggestions },
    );
    return { id: call.id, ok: false, error: wireError(error) };
  } catch {
    return { id: call.id, ok: false, error: wireError(callError('invalid_input', `codemode.${call.kind} takes one text.`)) };
  }
}

function search(catalog: Catalog, query: unknown): unknown {
  const entries =
    typeof query === 'string' && query.trim() !== ''
      ? catalog.search(query, MAX_HITS).map((hit) => hit.entry)
      : catalog.entries.slice(0, MAX_HITS);
  return entries.map((entry) => ({ name: entry.name, call: entry.expression, description: entry.description }));
}

function describe(catalog: Catalog, name: unknown): unknown {
  const entry: CatalogEntry | undefined = typeof name === 'string' ? catalog.get(name) : undefined;
  return (
    entry && {
      name: entry.name,
      call: entry.expression,
      description: entry.description,
      signature: catalog.signature(entry),
      inputSchema: plain(entry.inputJsonSchema),
      outputSchema: plain(entry.outputJsonSchema),
    }
  );
}

function plain(schema: unknown): unknown {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema));
}
