/** Answers the guest's `URL` with the worker's own parser. Only text crosses. */

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

const HostUrl = globalThis.URL;

/** `['parse', url, base | null]` or `['set', href, part, value]` → the parts, or null when there is no URL. JSON in and out. */
export function answerUrl(text: string): string {
  try {
    const [operation, url, third, value] = JSON.parse(text) as [string, string, string | null, string?];
    const made = operation === 'parse' && third !== null ? new HostUrl(url, third) : new HostUrl(url);
    if (operation === 'set') set(made, third ?? '', value ?? '');
    return JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, made[part]])));
  } catch {
    return 'null';
  }
}

function set(url: URL, part: string, value: string): void {
  const known = PARTS.find((name) => name === part);
  if (known !== undefined && known !== 'origin') url[known] = value;
}
