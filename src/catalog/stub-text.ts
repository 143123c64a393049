import { textForPattern } from './pattern-text.ts';

type Raw = Record<string, unknown>;

/** One example a format, from the documents that define them (RFC 3339, 5321, 3986, 4122, 6570 …); the hosts are reserved ones. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'a@example.com',
  'idn-email': 'a@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/a',
  'iri-reference': '/a',
  'uri-template': '/a/{b}',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: 'a',
};

/** Longer texts are not made up. */
const MAX_LENGTH = 100_000;

/** Texts that may fit, the best first: of the format, of the pattern, of the length. */
export function* stubText({ format, pattern, minLength }: Raw): Generator<string> {
  const least = Math.min(typeof minLength === 'number' ? minLength : 0, MAX_LENGTH);
  const example = typeof format === 'string' ? FORMATS[format] : undefined;
  if (example !== undefined) {
    yield example;
    // A longer one of the formats that may be longer.
    if (format === 'uri' || format === 'url' || format === 'iri') yield example + 'a'.repeat(Math.max(0, least - example.length));
    if (format === 'email') yield 'a'.repeat(Math.max(1, least - example.length + 1)) + example.slice(1);
  }
  if (typeof pattern === 'string') {
    for (const more of new Set([0, 1, 2, 3, least])) {
      const text = textForPattern(pattern, more);
      if (text === undefined) break;
      yield text;
      // A pattern that is not tied to both ends leaves room around it.
      yield text + 'a'.repeat(Math.max(0, least - text.length));
      yield 'a'.repeat(Math.max(0, least - text.length)) + text;
    }
  }
  yield 'a'.repeat(least);
}
