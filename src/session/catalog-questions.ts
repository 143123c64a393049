import { decode, encode } from '../protocol/codec.ts';
import type { WireCall, WireReply } from '../protocol/wire.ts';
import { callError, wireError } from './call-errors.ts';
import type { RunScope } from './run-scope.ts';
import { suggestedTools, visibleTool } from './visible-tools.ts';

type Scope = Pick<RunScope, 'catalog' | 'hides'>;

const MAX_HITS = 20;
/** Of a wrong name that is repeated in the answer. */
const MAX_NAME_CHARS = 200;

/** Answers `codemode.search(query)` and `codemode.describe(name)`. They read the catalogue, so nobody is asked. */
export async function answerQuestion(scope: Scope, call: WireCall): Promise<WireReply> {
  try {
    const asked = decode(call.input);
    // Nothing but text is looked at: a small value that shares its parts can take for ever to write out.
    if (typeof asked !== 'string') throw new TypeError('no text');
    const answer = call.kind === 'search' ? search(scope, asked) : describe(scope, asked);
    if (answer !== undefined) return { id: call.id, ok: true, value: encode(answer) };
    const suggestions = suggestedTools(scope, asked);
    const error = callError(
      'tool_not_found',
      `There is no tool ${JSON.stringify(asked.slice(0, MAX_NAME_CHARS))}.${suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : ''}`,
      { suggestions },
    );
    return { id: call.id, ok: false, error: wireError(error) };
  } catch {
    return { id: call.id, ok: false, error: wireError(callError('invalid_input', `codemode.${call.kind} takes one text.`)) };
  }
}

/** Records what the program got: a call without a tool has no other facts. */
export function recordAnswer({ journal, runId }: Pick<RunScope, 'journal' | 'runId'>, call: WireCall, reply: WireReply): void {
  const { id: ordinal, kind, input } = call;
  if (kind !== 'search' && kind !== 'describe' && kind !== 'result') return;
  const answer = reply.ok ? { output: journal.store(reply.value) } : { error: reply.error };
  journal.append('question.answered', { ordinal, kind, input: journal.store(input), ...answer }, runId);
}

function search({ catalog, hides }: Scope, query: string): unknown {
  const entries =
    query.trim() !== '' ? catalog.search(query, MAX_HITS).map((hit) => hit.entry) : catalog.entries.slice(0, MAX_HITS);
  return entries
    .filter((entry) => !hides(entry))
    .map((entry) => ({ name: entry.name, call: entry.expression, description: entry.description }));
}

function describe(scope: Scope, name: string): unknown {
  const entry = visibleTool(scope, name);
  return (
    entry && {
      name: entry.name,
      call: entry.expression,
      description: entry.description,
      signature: scope.catalog.signature(entry),
      inputSchema: plain(entry.inputJsonSchema),
      outputSchema: plain(entry.outputJsonSchema),
    }
  );
}

function plain(schema: unknown): unknown {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema));
}
