import { isPlainObject, pathKey, type SecretPaths } from '../../journal/secrets.ts';
import { plainJson } from './describe-value.ts';

/** A value as JSON for an editor, secrets replaced by markers that `restore` puts back wherever they ended up. */
export interface EditableJson {
  readonly text: string;
  readonly hidden: number;
  /** What stands for masked values. */
  readonly markers: ReadonlySet<string>;
  restore(edited: unknown): unknown;
}

/** `undefined` where JSON would change the value. */
export function editableJson(value: unknown, secrets: SecretPaths): EditableJson | undefined {
  if (value !== undefined && plainJson(value) === undefined) return undefined;
  const taken = JSON.stringify(value) ?? '';
  const originals = new Map<string, unknown>();
  let count = 0;
  const hide = (item: unknown, path: readonly (string | number)[]): unknown => {
    if (secrets.has(pathKey(path))) {
      // A text of the program that looks like a marker is not one.
      do count += 1;
      while (taken.includes(`«hidden ${count}»`));
      const marker = `«hidden ${count}»`;
      originals.set(marker, item);
      return marker;
    }
    if (Array.isArray(item)) return item.map((each, at) => hide(each, [...path, at]));
    if (isPlainObject(item))
      return Object.fromEntries(Object.entries(item).map(([key, each]) => [key, hide(each, [...path, key])]));
    return item;
  };
  const text = JSON.stringify(hide(value ?? {}, []), null, 2);
  const restore = (edited: unknown): unknown => {
    if (typeof edited === 'string') return originals.has(edited) ? originals.get(edited) : edited;
    if (Array.isArray(edited)) return edited.map(restore);
    if (isPlainObject(edited)) return Object.fromEntries(Object.entries(edited).map(([key, each]) => [key, restore(each)]));
    return edited;
  };
  return { text, hidden: originals.size, markers: new Set(originals.keys()), restore };
}
