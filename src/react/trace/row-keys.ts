/** Which element of the document shows which row. Pure. */

/** Key of each row in the document, top to bottom. */
export type RowKeys = ReadonlyMap<string, string>;

/**
 * Rows that stay keep their element. Where none does, because one has jumped, the next rows take the old elements over in their
 * order: to change these costs the browser half of what making new ones does. The element with the tab stop is nobody else's,
 * so that the focus never passes to another row unseen.
 * @param own rows with the tab stop, before and now
 */
export function nextKeys(old: RowKeys, ids: readonly string[], own: ReadonlySet<string | undefined>): RowKeys {
  const jumped = !ids.some((id) => old.has(id) && !own.has(id));
  const free = jumped ? [...old].filter(([id]) => !own.has(id)).map(([, key]) => key) : [];
  const keys = new Map(ids.map((id) => [id, old.get(id)] as const));
  const taken = new Set([...keys.values(), ...free]);
  let at = 0;
  for (const [id, key] of keys) if (key === undefined) keys.set(id, free[at++] ?? newKey(id, taken));
  return keys as RowKeys;
}

function newKey(id: string, taken: ReadonlySet<string | undefined>): string {
  return taken.has(id) ? newKey(`${id}+`, taken) : id;
}
