/** The descriptions that teach a model the three tools; with few tools, their signatures too. */
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { count, marksOf, wellFormed } from './model-words.ts';

export interface Discovery {
  readonly mode: 'auto' | 'search' | 'inline';
  /** Tokens of signatures that 'auto' may put inline. */
  readonly budget: number;
}

/** A token of English and code has about four characters. */
const CHARS_PER_TOKEN = 4;
const DESCRIPTION_CHARS = 300;

export const GET_TOOLS_DESCRIPTION =
  'Lists the tools that programs for executeCode can call, or finds them by what they do. Returns one line per tool with the expression to call it.';

export const GET_TOOL_DEFINITION_DESCRIPTION =
  'Returns the signature and the input and output schema of one or more tools. Call it before a program uses a tool whose signature you have not seen.';

const RULES = [
  'Runs one JavaScript or TypeScript program that calls the tools of this application. Do the whole job in one program instead of many calls.',
  '- Call a tool with `await tools.name({ ... })`. Run independent calls together: `await Promise.all([...])`.',
  '- End with `return value`: you see only that value and what console.log writes. Filter and summarise in the program, return little.',
  '- A user may have to approve a call and can refuse it. Use try/catch where you can go on without it (`e.name === "ToolDeniedError"`); never send a refused call again.',
  '- Other failures throw, too: `e.name`, `e.message`, `e.code` say why.',
  '- There is no fetch, import, require, file system or DOM. Use the tools.',
];

const EXAMPLE =
  'Example: `const [a, b] = await Promise.all([tools.x({ id: 1 }), tools.y({ id: 2 })]); return { sum: a.total + b.total };`';

export function executeCodeDescription(catalog: Catalog | undefined, discovery: Discovery, keepsState: boolean): string {
  const state = keepsState
    ? '- Top-level variables and functions stay for the next program; `restart: true` forgets them.'
    : '- Every program starts afresh; nothing is kept from earlier ones.';
  return wellFormed([...RULES, state, EXAMPLE, '', toolSection(catalog, discovery)].join('\n'));
}

function toolSection(catalog: Catalog | undefined, { mode, budget }: Discovery): string {
  if (catalog === undefined) return 'Find the tools with getTools, then read their signatures with getToolDefinition.';
  const total = catalog.entries.length;
  if (total === 0) return 'There are no tools; programs can only compute.';
  const room = mode === 'inline' ? Number.POSITIVE_INFINITY : budget * CHARS_PER_TOKEN;
  const listed = mode === 'search' ? [] : pick(catalog, room);
  if (listed.length === total) return ['The COMPLETE list of tools:', ...listed].join('\n');
  const how = `find the others with getTools({ query }) and read their signatures with getToolDefinition`;
  if (listed.length === 0)
    return `There are ${count(total)} tools, none of them listed here: ${how.replace('the others', 'them')}.`;
  return [`A PARTIAL list, ${count(listed.length)} of ${count(total)} tools; ${how}:`, ...listed].join('\n');
}

/** Signatures in the order of the catalogue until the room is used; one that does not fit is left out, later ones may fit. */
function pick(catalog: Catalog, room: number): string[] {
  let left = room;
  const chosen: string[] = [];
  for (const entry of catalog.entries) {
    if (left <= 0) break;
    const text = inlineText(catalog, entry);
    if (text.length + 1 > left) continue;
    left -= text.length + 1;
    chosen.push(text);
  }
  return chosen;
}

function inlineText(catalog: Catalog, entry: CatalogEntry): string {
  const line = entry.description.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  const description = line.length > DESCRIPTION_CHARS ? `${line.slice(0, DESCRIPTION_CHARS)}…` : line;
  const comment = [description, marksOf(entry)].filter((part) => part !== '').join(' — ');
  return `${comment === '' ? '' : `/** ${comment} */\n`}${catalog.signature(entry)}`;
}
