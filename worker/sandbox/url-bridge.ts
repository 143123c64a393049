/** Answers the guest's `URL` with the worker's own parser. Only text crosses. */
import { URL_PARTS } from '../guest/url-parts.ts';

const HostUrl = globalThis.URL;
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * `['parse', url, base | null]` or `['set', href, part, value]` → the parts, or null when there is no URL;
 * `['bytes', '%C3%28']` → their text. JSON in and out.
 */
export function answerUrl(text: string): string {
  try {
    const [operation, url, third, value] = JSON.parse(text) as [string, string, string | null, string?];
    if (operation === 'bytes') return JSON.stringify(lenient.decode(bytesOf(url)));
    const made = operation === 'parse' && third !== null ? new HostUrl(url, third) : new HostUrl(url);
    if (operation === 'set') set(made, third ?? '', value ?? '');
    return JSON.stringify(Object.fromEntries(URL_PARTS.map((part) => [part, made[part]])));
  } catch {
    return 'null';
  }
}

/** @param text nothing but `%XX` */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.slice(1).split('%'), (pair) => Number.parseInt(pair, 16));
}

function set(url: URL, part: string, value: string): void {
  const known = URL_PARTS.find((name) => name === part);
  if (known !== undefined && known !== 'origin') url[known] = value;
}
