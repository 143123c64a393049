/** Where in a value the codec is, and how a program would write it. */
import * as p from './codec-primordials.ts';

/** Where the walk is; the text is only made for an error. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly via: 'property' | 'index' | 'entry' | 'word';
}

/** `$.rows[3].done`: keys as the program would write them, map entries as `.get("key")`, set members as `.values[2]`. */
export function pathText(place: Place | undefined): string {
  if (!place) return '$';
  const before = pathText(place.parent);
  if (place.via === 'index') return before + '[' + place.key + ']';
  if (place.via === 'entry') return before + '.get(' + place.key + ')';
  if (place.via === 'word') return before + '.' + place.key;
  const key = place.key as string;
  return isIdentifier(key) ? before + '.' + key : before + '[' + p.stringify(key) + ']';
}

/** Plain ASCII names only: a regular expression would call `exec`, which a program can replace. */
function isIdentifier(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const code = p.charCodeAt(key, i) | 32;
    const letter = (code >= 97 && code <= 122) || p.charCodeAt(key, i) === 95 || p.charCodeAt(key, i) === 36;
    if (!letter && (i === 0 || p.charCodeAt(key, i) < 48 || p.charCodeAt(key, i) > 57)) return false;
  }
  return key.length > 0;
}
