/** Answers the guest's questions about names, from the table the page sent. Own keys only. */
import type { NameTable } from '../../src/protocol/wire.ts';

type Resolved = readonly [index: number, field: string | null, isNamespace: 0 | 1, name: string];

/** By catalogue: the table of original names is made once. */
const originals = new WeakMap<NameTable, ReadonlyMap<string, number>>();

function originalsOf(table: NameTable): ReadonlyMap<string, number> {
  let known = originals.get(table);
  if (!known) originals.set(table, (known = new Map(table.names.map((name, index) => [name, index]))));
  return known;
}

export function resolveName(table: NameTable, namespace: string, key: string): Resolved {
  const index = namespace === '' ? topLevel(table, key) : member(table, namespace, key);
  const isNamespace = namespace === '' && Object.hasOwn(table.namespaces, key) ? 1 : 0;
  return [index, (index >= 0 ? table.singleFields[index] : undefined) ?? null, isNamespace, table.names[index] ?? key];
}

function topLevel(table: NameTable, key: string): number {
  return own(table.identifiers, key) ?? originalsOf(table).get(key) ?? -1;
}

/** By the member's identifier, or by the original name of one of the namespace's tools. */
function member(table: NameTable, namespace: string, key: string): number {
  const members = own(table.namespaces, namespace);
  if (!members) return originalsOf(table).get(`${namespace}.${key}`) ?? -1;
  const found = own(members, key);
  if (found !== undefined) return found;
  return Object.values(members).find((index) => table.names[index] === key || table.names[index] === `${namespace}.${key}`) ?? -1;
}

/** What `Object.keys(tools)` lists. */
export function listNames(table: NameTable, namespace: string): readonly string[] {
  if (namespace !== '') return Object.keys(own(table.namespaces, namespace) ?? {});
  return [...new Set([...Object.keys(table.identifiers), ...Object.keys(table.namespaces)])];
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
