import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/journal/event-shapes.ts';
import { JOURNAL_VERSION } from '../../src/journal/events.ts';
import type { Recording } from '../../src/journal/test-tools/recording.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/journal-format.md'), 'utf8');
const rowOf = (type: string): string =>
  text.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${type}\``)) ?? '';

test('docs/journal-format.md names every kind of event and every field of the recordings', () => {
  expect(EVENT_TYPES.filter((type) => rowOf(type) === '')).toEqual([]);
  const folder = join(ROOT, `src/journal/fixtures/v${JOURNAL_VERSION}`);
  const unnamed = new Set<string>();
  for (const file of readdirSync(folder)) {
    const { events } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recording;
    for (const { type, data } of events)
      for (const field of Object.keys(data)) if (!new RegExp(`\\b${field}\\b`).test(rowOf(type))) unnamed.add(`${type}.${field}`);
  }
  // `delivery` has a chapter of its own.
  expect([...unnamed].filter((field) => !field.startsWith('delivery.'))).toEqual([]);
  expect(text).toContain(`this is **version ${JOURNAL_VERSION}**`);
});
