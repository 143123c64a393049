/** A storage that outlives its pages, and pages that die at any of their appends. */
import type { EncodedText } from '../../../protocol/wire.ts';
import type { JournalLog, JournalStorage } from '../../../journal/storage.ts';

export interface Disk {
  readonly sessionId: string;
  /** The stored events as JSON, of one session. */
  readonly records: readonly string[];
  /** The storage as one page has it. @param appends so many are stored, and the page dies with the next one */
  page(appends?: number): DyingStorage;
}

export interface DyingStorage extends JournalStorage {
  /** Settles when the page is dead. */
  readonly dead: Promise<void>;
}

const never = new Promise<never>(() => {});

let disks = 0;

/** @param sessionId sessions of one id share a worker, which saves its start */
export function createDisk(sessionId = `chat-${++disks}`): Disk {
  const records: string[] = [];
  const values = new Map<string, EncodedText>();
  return {
    sessionId,
    records,
    page(appends = Number.POSITIVE_INFINITY) {
      let left = appends;
      let die: () => void = () => {};
      const dead = new Promise<void>((resolve) => {
        die = resolve;
      });
      const log: JournalLog = {
        events: records.map((record): unknown => JSON.parse(record)),
        append(events) {
          for (const event of events) {
            if (left === 0) {
              die();
              return never;
            }
            left--;
            records.push(JSON.stringify(event));
          }
          return undefined;
        },
        putValue(ref, text) {
          if (left > 0) values.set(ref, text);
          return undefined;
        },
        getValue: (ref) => values.get(ref),
        close: () => undefined,
      };
      return { dead, open: () => log, list: () => [sessionId], delete: () => undefined };
    },
  };
}

/** The disk as a page that is gone now leaves it: what the page still does reaches nobody. @param records so many of them */
export function crash(disk: Disk, records = disk.records.length): Disk {
  const left = createDisk();
  (left.records as string[]).push(
    ...disk.records.slice(0, records).map((record) => record.replaceAll(`"${disk.sessionId}"`, `"${left.sessionId}"`)),
  );
  return left;
}
