import type { CatalogEntry } from '../catalog/catalog.ts';
import type { ToolCallQuestion } from '../policy/types.ts';
import { decode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { RunScope } from './run-scope.ts';

/** A tool as rules see it. */
export function toolOf({ name, title, risk, readOnly, trusted }: CatalogEntry): ToolCallQuestion['tool'] {
  return { name, title, risk, readOnly, trusted };
}

type Asked<C> = Pick<RunScope<C>, 'runId' | 'sessionId' | 'context'>;

/** What rules and callbacks are asked about a call: a fresh copy of the input for each asker, made when it looks at it. */
export function questionAbout<C>(
  { runId, sessionId, context }: Asked<C>,
  entry: CatalogEntry,
  callId: string,
  text: EncodedText,
  undoes?: string,
): () => ToolCallQuestion<C> {
  return () => {
    let copy: { readonly input: unknown } | undefined;
    return {
      tool: toolOf(entry),
      get input() {
        copy ??= { input: decode(text) };
        return copy.input;
      },
      callId,
      runId,
      sessionId,
      context,
      ...(undoes !== undefined && { undoes }),
    };
  };
}
