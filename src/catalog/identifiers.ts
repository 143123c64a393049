/**
 * Decides, alone, under which names programs reach tools (design §6). Every rule looks at names only, never at their order,
 * so the same tools give the same names in every session.
 */
import type { NameTable } from '../protocol/wire.ts';

/** What names are decided from. */
export interface NamedTool {
  readonly name: string;
  /** Server the tool comes from; becomes its namespace. */
  readonly server?: string;
}

export interface ToolNames {
  readonly identifier: string;
  /** Shortest expression of a program. */
  readonly expression: string;
  readonly namespace?: string;
  readonly member?: string;
}

export interface Naming {
  readonly table: Pick<NameTable, 'names' | 'identifiers' | 'namespaces'>;
  /** In the order of the tools given. */
  readonly names: readonly ToolNames[];
}

/** What promises, JSON and objects look for themselves: `await tools` must not call a tool called `then`. */
const ASKED_BY_LANGUAGE: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'toJSON',
  'prototype',
]);
/** Beside `tools` these are the members of `codemode`; inside of a namespace a tool may be called so. */
const TAKEN: ReadonlySet<string> = new Set([...ASKED_BY_LANGUAGE, 'search', 'describe', 'invoke', 'emit', 'results']);

const VALID = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
// Letters nobody can see (joiners, fillers) are valid in identifiers; two names must not differ only in them.
const UNUSABLE = /[^\p{ID_Continue}$]+|\p{Default_Ignorable_Code_Point}+/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** True for a name that needs no change. */
function isNatural(name: string, taken: ReadonlySet<string>): boolean {
  return VALID.test(name) && !INVISIBLE.test(name) && name.normalize('NFC') === name && !taken.has(name);
}

/** An identifier that looks like `name`; different names may get the same. */
export function toIdentifier(name: string, taken: ReadonlySet<string> = TAKEN): string {
  if (isNatural(name, taken)) return name;
  const joined = name.normalize('NFC').replace(UNUSABLE, '_');
  // Separators at the ends say nothing; an underscore of the name itself stays.
  const trimmed = joined.replace(/^_+/, name.startsWith('_') ? '_' : '').replace(/_+$/, name.endsWith('_') ? '_' : '');
  const text = /[^_$]/.test(trimmed) ? trimmed : 'tool';
  const started = VALID.test(text) ? text : `_${text}`;
  return taken.has(started) ? `${started}_` : started;
}

interface Wish {
  /** Unique; breaks ties by itself. */
  readonly key: string;
  /** What the identifier should look like. */
  readonly text: string;
}

/**
 * One identifier per wish, all different. A name that is a valid identifier keeps it; of the others that collide each gets a
 * suffix made from its own name, so none depends on the order or on who came first.
 */
function assign(wishes: readonly Wish[], taken: ReadonlySet<string>): string[] {
  const levels = wishes.map(() => 0);
  for (;;) {
    const identifiers = wishes.map((wish, i) => atLevel(wish, levels[i] ?? 0, taken));
    const clashing = groupIndexes(identifiers).filter((group) => group.length > 1);
    if (clashing.length === 0) return identifiers;
    for (const i of clashing.flat()) {
      const wish = wishes[i] as Wish;
      if (levels[i] !== 0 || !(wish.text === wish.key && isNatural(wish.text, taken))) levels[i] = (levels[i] ?? 0) + 1;
    }
  }
}

function atLevel({ key, text }: Wish, level: number, taken: ReadonlySet<string>): string {
  const base = toIdentifier(text, taken);
  if (level === 0) return base;
  if (level === 1) return `${base}_${nameHash(key).slice(0, 4)}`;
  if (level === 2) return `${base}_${nameHash(key)}`;
  // The whole name in hex: different for different names, whatever the hash does; more underscores if that is taken, too.
  return `${base}_${Array.from(key, (char) => (char.codePointAt(0) ?? 0).toString(16)).join('_')}${'_'.repeat(level - 3)}`;
}

function groupIndexes(identifiers: readonly string[]): number[][] {
  const groups = new Map<string, number[]>();
  identifiers.forEach((identifier, i) => {
    const group = groups.get(identifier);
    if (group) group.push(i);
    else groups.set(identifier, [i]);
  });
  return [...groups.values()];
}

/** Ten letters and digits from two 32-bit FNV-1a hashes of the UTF-16 units. */
function nameHash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return ((a >>> 0).toString(36) + (b >>> 0).toString(36)).padStart(10, '0').slice(-10);
}

interface Parts {
  readonly server: string;
  readonly member: string;
}

/** `orders.get` and `orders/get` → `orders` + `get`; with a server of its own the tool's whole name is the member. */
function splitName({ name, server }: NamedTool): Parts | undefined {
  if (server) {
    const rest = name.startsWith(server) ? name.slice(server.length).replace(/^(?:[./:_-]+)/, '') : name;
    return { server, member: rest === '' ? name : rest };
  }
  const match = /^([\p{L}_$][\p{L}\p{N}_$-]*)[./](?=[^./])/u.exec(name);
  return match?.[1] === undefined ? undefined : { server: match[1], member: name.slice(match[0].length) };
}

/** Names of a set of tools whose names are all different. */
export function nameTools(tools: readonly NamedTool[]): Naming {
  const identifiers = assign(
    tools.map(({ name }) => ({ key: name, text: name })),
    TAKEN,
  );
  const occupied = new Set([...identifiers, ...tools.map(({ name }) => name)]);
  const members = nameMembers(tools, occupied);
  const table = {
    names: tools.map(({ name }) => name),
    identifiers: emptyTable<number>(),
    namespaces: emptyTable<Record<string, number>>(),
  };
  const names = tools.map((_tool, i): ToolNames => {
    const identifier = identifiers[i] as string;
    table.identifiers[identifier] = i;
    const short = `tools.${identifier}`;
    const place = members.get(i);
    if (place === undefined) return { identifier, expression: short };
    const group = (table.namespaces[place.namespace] ??= emptyTable<number>());
    group[place.member] = i;
    const long = `tools.${place.namespace}.${place.member}`;
    return { identifier, expression: long.length <= short.length ? long : short, ...place };
  });
  return { table, names };
}

/** A namespace that is also a tool's name is not offered: `tools.orders` cannot be both. */
function nameMembers(
  tools: readonly NamedTool[],
  occupied: ReadonlySet<string>,
): Map<number, { namespace: string; member: string }> {
  const groups = new Map<string, { index: number; parts: Parts }[]>();
  tools.forEach((tool, index) => {
    const parts = splitName(tool);
    if (parts === undefined) return;
    const namespace = toIdentifier(parts.server);
    if (occupied.has(namespace)) return;
    groups.set(namespace, [...(groups.get(namespace) ?? []), { index, parts }]);
  });
  const places = new Map<number, { namespace: string; member: string }>();
  for (const [namespace, group] of groups) {
    const wishes = group.map(({ index, parts }) => ({ key: tools[index]?.name ?? '', text: parts.member }));
    assign(wishes, ASKED_BY_LANGUAGE).forEach((member, i) => places.set(group[i]?.index ?? -1, { namespace, member }));
  }
  return places;
}

/** Without a prototype: `constructor` is not found in it. */
function emptyTable<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
