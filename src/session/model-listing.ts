/** The texts of `getTools` and `getToolDefinition`. */
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { count, marksOf, wellFormed, wholeCharacters } from './model-words.ts';

const LIST_LIMIT = 50;
const SEARCH_LIMIT = 10;
const MAX_LIMIT = 100;
const MAX_DEFINITIONS = 20;
const SUMMARY_CHARS = 140;

export interface ListQuery {
  readonly query?: string;
  readonly limit?: number;
}

/** Tools in one line each: all, or those that a query finds, best first. */
export function listingText(catalog: Catalog, { query, limit }: ListQuery, maxChars: number): string {
  const total = catalog.entries.length;
  if (total === 0) return 'There are no tools. Programs can still compute.';
  const most = Math.min(limit ?? (query === undefined ? LIST_LIMIT : SEARCH_LIMIT), MAX_LIMIT);
  const found = query === undefined ? catalog.entries.slice(0, most) : findEntries(catalog, query, most);
  if (found.length === 0)
    return `No tool fits ${JSON.stringify(query)}. There are ${count(total)} tools; try other words, or call getTools without a query to list them.`;
  const lines = fit(found.map(summaryLine), maxChars - 300);
  const tools = total === 1 ? 'tool' : 'tools';
  const head =
    query === undefined
      ? `${lines.length === total ? `All ${count(total)}` : `${count(lines.length)} of ${count(total)}`} ${tools}:`
      : `${count(lines.length)} of ${count(total)} ${tools} fit, best first:`;
  const more = query === undefined && lines.length < total ? 'Find others with a query. ' : '';
  return wellFormed(
    [
      head,
      ...lines,
      `${more}Call getToolDefinition before you use a tool for the first time, then write one program for executeCode.`,
    ].join('\n'),
  );
}

/** A tool named exactly as the query comes first. */
function findEntries(catalog: Catalog, query: string, limit: number): CatalogEntry[] {
  const exact = catalog.get(query.trim());
  const hits = catalog.search(query, limit).map(({ entry }) => entry);
  const guesses = hits.length > 0 ? [] : catalog.suggest(query, limit).flatMap((name) => catalog.get(name) ?? []);
  return [...new Set([...(exact ? [exact] : []), ...hits, ...guesses])].slice(0, limit);
}

function summaryLine(entry: CatalogEntry): string {
  const marks = marksOf(entry);
  const own = entry.expression === `tools.${entry.name}` ? '' : ` (${JSON.stringify(entry.name)})`;
  const about = summary(entry.description);
  return `- ${entry.expression}${own}${about === '' ? '' : `: ${about}`}${marks === '' ? '' : ` [${marks}]`}`;
}

/** First sentence, in one line. */
function summary(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length > SUMMARY_CHARS ? `${wholeCharacters(sentence.slice(0, SUMMARY_CHARS))}…` : sentence;
}

function fit(lines: readonly string[], maxChars: number): string[] {
  let left = maxChars;
  return lines.filter((line) => (left -= line.length + 1) >= 0);
}

/** Definitions of tools by name; names that do not exist come with suggestions. */
export function definitionsText(
  catalog: Catalog,
  names: readonly string[],
  maxChars: number,
): { readonly ok: boolean; readonly text: string } {
  const asked = names.slice(0, MAX_DEFINITIONS);
  const share = Math.floor(maxChars / Math.max(1, asked.length));
  const parts = asked.map((name) => {
    const entry = findByAnyName(catalog, name);
    return entry ? { ok: true, text: definition(catalog, entry, share) } : { ok: false, text: unknownTool(catalog, name) };
  });
  const left = names.length - asked.length;
  const text = [
    ...parts.map((part) => part.text),
    ...(left > 0 ? [`${left} more names were left out; ask for at most ${MAX_DEFINITIONS} at once.`] : []),
  ].join('\n\n');
  return { ok: parts.some((part) => part.ok), text: wellFormed(text) };
}

/** Models also send what they write in programs: `tools.orders.get`, `orders_get`, `tools["a b"]`. */
export function findByAnyName(catalog: Catalog, wanted: string): CatalogEntry | undefined {
  const name = wanted.trim();
  const bare = name.replace(/^(?:tools|codemode)\.|^(?:tool|external)_/, '');
  const quoted = /^tools\[(["'])([\s\S]*)\1\]$/.exec(name)?.[2];
  return (
    catalog.get(name) ??
    catalog.get(quoted ?? bare) ??
    catalog.entries.find(
      (entry) => entry.expression === name || entry.identifier === bare || entry.expression === `tools.${bare}`,
    )
  );
}

function unknownTool(catalog: Catalog, name: string): string {
  const guesses = catalog.suggest(name);
  const advice =
    guesses.length > 0
      ? `Did you mean ${guesses.map((guess) => JSON.stringify(guess)).join(' or ')}?`
      : 'Find tools with getTools.';
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}. ${advice}`;
}

function definition(catalog: Catalog, entry: CatalogEntry, maxChars: number): string {
  const marks = marksOf(entry);
  const other = entry.expression === `tools.${entry.name}` ? '' : `, also tools[${JSON.stringify(entry.name)}]`;
  const head = [
    `${entry.expression}${other}${marks === '' ? '' : ` [${marks}]`}`,
    entry.description.trim(),
    'Signature:',
    catalog.signature(entry),
  ]
    .filter((part) => part !== '')
    .join('\n');
  const schemas = [inputLine(entry), outputLine(entry)];
  let text = head.length > maxChars ? `${wholeCharacters(head.slice(0, maxChars - 40))}… (truncated)` : head;
  for (const schema of schemas)
    text +=
      text.length + schema.length < maxChars
        ? `\n${schema}`
        : `\n${schema.slice(0, schema.indexOf(':'))} left out, too long; the signature says the same.`;
  return text;
}

function inputLine({ inputJsonSchema }: CatalogEntry): string {
  const json = JSON.stringify(inputJsonSchema);
  return `Input schema: ${json === '{"type":"object"}' ? 'not declared; the tool checks its input itself and says what is wrong.' : json}`;
}

function outputLine({ outputJsonSchema }: CatalogEntry): string {
  if (outputJsonSchema === undefined) return 'Output schema: none; log a result once to see its form.';
  return `Output schema: ${JSON.stringify(outputJsonSchema)}`;
}
