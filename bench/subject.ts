/** What is measured: one way to run programs. */
import type { Row } from './rows.ts';

/** A program under way. */
export interface Started {
  readonly outcome: Promise<unknown>;
  cancel(): void;
}

/** A subject that is up, or starts with its first run. */
export interface Opened {
  /** @throws when the program fails */
  run(source: string): Promise<unknown>;
  /** Absent where a program cannot be stopped. */
  start?(source: string): Started;
  /** One run function for each of so many sessions. */
  sessions(count: number): readonly ((source: string) => Promise<unknown>)[];
  /** The same once more in a worker that starts now, the WebAssembly being compiled. Absent where there is no such thing. */
  again?(): Opened;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Wait until it is up. */
  readonly warm: boolean;
  /** Keep another worker in reserve. @default true */
  readonly spare?: boolean;
  readonly storage?: 'indexeddb' | undefined;
}

/** One round of a row: `go` is what is timed. */
export interface Round {
  go(): Promise<unknown>;
  close(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  /** @throws where it does not run here; the message goes into the table */
  open(options: OpenOptions): Promise<Opened>;
  /** Plays a row its own way; `undefined`: it has no answer to this row. Absent: like everybody. */
  prepare?(row: Row): Promise<Round | undefined>;
}
