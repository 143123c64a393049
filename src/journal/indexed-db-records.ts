/** What stands in the database, as events: keys, seals, JSON. */
import { CodeModeError } from '../errors.ts';
import type { JournalDatabase, Stored } from './indexed-db.ts';
import type { Seal } from './seal.ts';

/** Range of one session's keys: an array sorts after every number and text. */
export const keysOf = (sessionId: string): IDBKeyRange => IDBKeyRange.bound([sessionId], [sessionId, []]);

/** A session's records after `seq`, as they were written; what is not readable is `undefined`. */
export async function readRecords(
  db: JournalDatabase,
  sessionId: string,
  seq: number,
  seal: Seal | undefined,
): Promise<readonly unknown[]> {
  const range = IDBKeyRange.bound([sessionId, seq], [sessionId, []], true);
  const read = db.transaction('events');
  const [keys, records] = await Promise.all([read.store.getAllKeys(range), read.store.getAll(range)]);
  const texts = await Promise.all(records.map((record, i) => unsealed(record, contextOf(keys[i]!), seal, i === 0 && seq === 0)));
  return texts.map((text) => {
    try {
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    } catch {
      return undefined;
    }
  });
}

/** Where a record belongs, for its seal. */
export function contextOf(key: readonly (string | number)[]): string {
  return JSON.stringify(key);
}

/** The text of a record. @throws when it does not open with this seal */
export async function unseal(record: Stored, context: string, seal: Seal | undefined): Promise<string> {
  if (typeof record === 'string') return record;
  if (!seal) throw new TypeError('no seal is given');
  return seal.open(record, context);
}

/** @param first the wrong key shows at the first record: then all of them are fine, and the key is not */
async function unsealed(record: Stored, context: string, seal: Seal | undefined, first: boolean): Promise<string | undefined> {
  try {
    return await unseal(record, context, seal);
  } catch (cause) {
    if (!first) return undefined;
    throw new CodeModeError(
      'storage_error',
      'The stored journal is sealed and does not open with the given `seal`. Nothing was changed. Give the seal it was written with.',
      {},
      { cause },
    );
  }
}
