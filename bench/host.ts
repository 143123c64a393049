/** One subject in a process or page of its own, played from outside round by round. */
import { check, prepare } from './round.ts';
import { ROWS, type Row } from './rows.ts';
import type { Round, Subject } from './subject.ts';

/** Milliseconds. */
export interface Measured {
  readonly wall: number;
  /** User time of the process; absent where only the outside can tell. */
  readonly cpu?: number;
}

export interface Host {
  /** False: the subject has no answer to this row. */
  prepare(rowId: string): Promise<boolean>;
  /** @throws when the program gives something else than it should */
  go(): Promise<Measured>;
  close(): Promise<void>;
}

/** @param cpuTime milliseconds of user time so far */
export function createHost(subject: Subject, cpuTime?: () => number): Host {
  let round: Round | undefined;
  let row: Row | undefined;
  return {
    async prepare(rowId) {
      row = ROWS.find(({ id }) => id === rowId);
      round = row && (await prepare(subject, row));
      return round !== undefined;
    },
    async go() {
      if (!row || !round) throw new Error('Nothing is prepared.');
      const cpuBefore = cpuTime?.() ?? 0;
      const before = performance.now();
      const value = await round.go();
      const wall = performance.now() - before;
      const cpu = cpuTime && cpuTime() - cpuBefore;
      check(row, value);
      return { wall, ...(cpu !== undefined && { cpu }) };
    },
    async close() {
      await round?.close();
      round = undefined;
    },
  };
}
