/** Which rows are wanted. Pure. */
import type { CallStatus } from '../../store/state.ts';
import type { TraceNode } from './nodes.ts';

export interface RowFilter {
  readonly text: string;
  readonly status: CallStatus | 'all';
  /** Calls of this tool only; empty: of any. */
  readonly tool: string;
}

export const NO_FILTER: RowFilter = { text: '', status: 'all', tool: '' };

export const isFiltering = ({ text, status, tool }: RowFilter): boolean => text !== '' || status !== 'all' || tool !== '';

export type Matcher = (node: TraceNode) => boolean;

/** Says of a node whether the filter lets it through. Answers are remembered: what did not change is searched once. */
export function matcherOf({ text, status, tool }: RowFilter): Matcher {
  const hits = text === '' ? () => true : finder(text);
  const known = new WeakMap<TraceNode, boolean>();
  return (node) => {
    let answer = known.get(node);
    if (answer === undefined) {
      const call = node.kind === 'call' ? node.call : undefined;
      answer = (status === 'all' || call?.status === status) && (tool === '' || call?.tool === tool) && hits(node);
      known.set(node, answer);
    }
    return answer;
  };
}

/** Those that match, and what they are in. */
export function matching(nodes: readonly TraceNode[], matches: Matcher): readonly TraceNode[] {
  return nodes.flatMap((node): readonly TraceNode[] | TraceNode => {
    if (node.children.length === 0) return matches(node) ? node : [];
    const children = matching(node.children, matches);
    return children.length > 0 ? { ...node, children } : [];
  });
}

/** How much of one long text is searched: ten thousand rows of large values must not stop the page. */
const SEARCHED_CHARS = 4_096;

function finder(text: string): Matcher {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return (node) =>
    searchTexts(node).some(
      (part) => part !== undefined && pattern.test(part.length > SEARCHED_CHARS ? part.slice(0, SEARCHED_CHARS) : part),
    );
}

/** What a search looks into: names, words, and the stored text of values in place. */
function searchTexts(node: TraceNode): readonly (string | undefined)[] {
  switch (node.kind) {
    case 'run':
      return [node.run.title];
    case 'call': {
      const { tool, title, input, output, error, intent } = node.call;
      return [tool, title, stored(input), stored(output), error?.message, intent];
    }
    case 'console':
      return [node.item.text];
    case 'emit':
      return [stored(node.item.value)];
    case 'warning':
      return [node.warning.message];
    case 'error':
      return [node.error.code, node.error.message];
    case 'cancelled':
      return [node.reason];
    case 'result':
      return [stored(node.value)];
    default:
      return [];
  }
}

function stored(value: { readonly inline: string } | { readonly preview: string } | undefined): string | undefined {
  return value === undefined ? undefined : 'inline' in value ? value.inline : value.preview;
}
