/** Which element of the document shows which row. Pure. */

/** Key of each row in the document, top to bottom. */
export type RowKeys = ReadonlyMap<string, number>;

/**
 * Rows that stay keep their element. Where none does, because one has jumped, the next rows take the old elements over in their
 * order: to change these costs the browser half of what making new ones does. The element with the tab stop is nobody else's,
 * so that the focus never passes to another row unseen.
 * @param own rows with the tab stop, before and now
 */
export function nextKeys(old: RowKeys, ids: readonly string[], own: ReadonlySet<string | undefined>): RowKeys {
  const jumped = !ids.some((id) => old.has(id) && !own.has(id));
  const free = jumped ? [...old].filter(([id]) => !own.has(id)).map(([, key]) => key) : [];
  let last = Math.max(0, ...old.values());
  return new Map(ids.map((id) => [id, old.get(id) ?? free.shift() ?? (last += 1)]));
}
