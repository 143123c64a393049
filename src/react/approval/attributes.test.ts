// The attributes that applications may style by are written down, all of them and no others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sources = ['.', '../trace', '../program', '../text']
  .flatMap((folder) => readdirSync(join(import.meta.dirname, folder)).map((file) => join(import.meta.dirname, folder, file)))
  .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'));
const approval = sources.filter(
  (file) => file.startsWith(import.meta.dirname) || /TraceUndo|ProgramExcerpt|ValueView/.test(file),
);
const code = approval.map((file) => readFileSync(file, 'utf8')).join('\n');
const page = readFileSync(join(import.meta.dirname, '../../../docs/approval.md'), 'utf8');

/** Values that the page gives for an attribute. */
function written(attribute: string): string[] {
  const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${attribute}\``))!;
  return [...row.split('|')[3]!.matchAll(/`([\w-]+)`/g)].map((match) => match[1]!).sort();
}

/** Values that stand in the code, also as one of two. */
function used(attribute: string): string[] {
  const whole = [...code.matchAll(new RegExp(String.raw`${attribute}="([\w-]+)"`, 'g'))].map((match) => match[1]!);
  const either = [...code.matchAll(new RegExp(String.raw`${attribute}=\{[^}]*\}`, 'g'))].flatMap((match) =>
    [...match[0].matchAll(/'([\w-]+)'/g)].map((inner) => inner[1]!),
  );
  return [...new Set([...whole, ...either])].sort();
}

describe('the page about approval', () => {
  it.each(['data-action', 'data-part', 'data-kind'])('names every value of %s', (attribute) => {
    expect(written(attribute).filter((value) => value !== 'list' && value !== 'record')).toEqual(
      used(attribute).filter((value) => value !== 'list' && value !== 'record'),
    );
  });

  it('names every attribute', () => {
    const names = new Set([...code.matchAll(/['\s](data-[a-z-]+)['=]/g)].map((match) => match[1]!));
    const internal = ['data-cm-dialog', 'data-cm-open', 'data-multiline', 'data-nested', 'data-tone', 'data-type', 'data-line'];
    const rest = ['data-marked', 'data-linked', 'data-used', 'data-count', 'data-invalid', 'data-alone'];
    const missing = [...names].filter((name) => !page.includes(`\`${name}\``) && ![...internal, ...rest].includes(name));
    expect(missing).toEqual([]);
  });
});
