import type { JournalEvent } from '../../journal/events.ts';

/** Hashes of the tools' definitions in a version of the catalogue, by name; empty where they were not recorded. */
export function definitionsOf(events: readonly JournalEvent[], version: string | undefined): ReadonlyMap<string, string> {
  const found = events.findLast((event) => event.type === 'catalog.changed' && event.data.version === version);
  if (found?.type !== 'catalog.changed') return new Map();
  const { tools, definitions } = found.data;
  return new Map(tools.flatMap((tool, i) => (definitions[i] === undefined ? [] : [[tool, definitions[i]] as const])));
}
