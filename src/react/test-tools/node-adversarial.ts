/** Strings that have broken user interfaces, read from beside the repository where they lie; a few of our own always. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/adversarial');
const OWN = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '</bdi></h2><button data-action="allow">Allow</button>',
  '[link](https://evil.example) **bold** `code`',
  'pay\u202eeur 001\u202c',
  'a\u200bdm\u00adin\u2066',
  'x\r\ny\u0000z\u001b[31m',
  '\u3164\u115f\u{e0041}\u{e007f}',
  'ＡＬＬＯＷ аllow',
  '\ud800 lone',
  'a  b   c\n\n\n\n\n\nd',
  '__proto__',
  'constructor',
];

/** All of them with `HOSTILE=all` (`npm test -- --full`), else every n-th. */
function sampled(all: readonly string[], size: number): readonly string[] {
  if (process.env['HOSTILE'] === 'all') return all;
  const step = Math.max(1, Math.floor(all.length / size));
  return all.filter((_, at) => at % step === 0);
}

function read<T>(name: string): T | undefined {
  const file = join(FOLDER, name);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
  process.stdout.write(`not there, so only the strings of the test itself are tried: ${file}\n`);
  return undefined;
}

export function naughtyStrings(): readonly string[] {
  return [...OWN, ...sampled(read<string[]>('blns.json') ?? [], 40)];
}

/** Code points that a reader does not see or that reorder what they see. */
export function unseenCodePoints(): readonly number[] {
  const lists = read<Record<string, unknown>>('unicode-controls.json') ?? {};
  const own = [0x202e, 0x2066, 0x200b, 0xad, 0x115f, 0xe0041, 0xfe0f, 0xfff0, 0x1bca0, 0x1d173, 0xfdd0, 0xffff];
  const found = ['Bidi_Control', 'Join_Control', 'Default_Ignorable_below_E0080', 'Noncharacter'].flatMap(
    (name) => (lists[name] as number[] | undefined) ?? [],
  );
  return [...new Set([...own, ...found])];
}
