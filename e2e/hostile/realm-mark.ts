/** What a program that reached the host could have left behind: names on the global object and on the prototypes everybody shares. */
export function markOfRealm(): Readonly<Record<string, readonly string[]>> {
  const mark: Record<string, readonly string[]> = { globalThis: Object.getOwnPropertyNames(globalThis).sort() };
  const shared = { Object, Array, Function, Promise, String, Error, Map, RegExp };
  for (const [name, { prototype }] of Object.entries(shared)) mark[name] = Reflect.ownKeys(prototype).map(String).sort();
  return mark;
}
