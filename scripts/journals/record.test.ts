import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOURNAL_VERSION } from '../../src/journal/events.ts';
import { readEvents } from '../../src/journal/read-events.ts';
import type { Recording } from '../../src/journal/test-tools/recording.ts';
import { recordAll } from './record.ts';

const FIXTURES = join(import.meta.dirname, `../../src/journal/fixtures/v${JOURNAL_VERSION}`);

/** `type.field` of everything a journal holds. */
function fieldsOf({ events }: Recording): ReadonlySet<string> {
  return new Set(events.flatMap(({ type, data }) => Object.keys(data).map((field) => `${type}.${field}`)));
}

test('what is recorded today holds all that the recordings of this version hold', async () => {
  for (const [name, now] of Object.entries(await recordAll())) {
    const then = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as Recording;
    expect(readEvents(now.events, name).damage, name).toBeUndefined();
    expect(now.expected, name).toEqual(then.expected);
    // A field that goes or changes its name is another version: `JOURNAL_VERSION`, a step in upcast.ts, new recordings.
    const fields = fieldsOf(now);
    expect(
      [...fieldsOf(then)].filter((field) => !fields.has(field)),
      name,
    ).toEqual([]);
  }
}, 60_000);
