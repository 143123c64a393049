/** One round of a row with one subject: everything before the clock starts, and what is timed. */
import { callsSoFar } from './data.ts';
import { type Row, SESSIONS } from './rows.ts';
import type { Opened, Round, Started, Subject } from './subject.ts';

/** Nothing of a start is left: spares are up, garbage of the last round is gone. Milliseconds. */
export const SETTLE_MS = 250;
/** An endless program has left its last call behind. Milliseconds. */
const COMPUTING_MS = 60;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `undefined`: the subject has no answer to this row. */
export async function prepare(subject: Subject, row: Row): Promise<Round | undefined> {
  if (subject.prepare) return subject.prepare(row);
  if (row.storage && subject.name !== 'ours') return undefined;
  if (row.kind === 'cold') return cold(subject, row);
  const opened = await subject.open({ warm: true, spare: row.kind !== 'module' && !row.cpu, storage: row.storage });
  const round = await from(opened, row);
  if (!round) await opened.close();
  return round;
}

/** What a round of `go` gave must be what the row expects. */
export function check(row: Row, value: unknown): void {
  if (row.expected !== undefined && value !== row.expected) {
    throw new Error(`gave ${JSON.stringify(value)?.slice(0, 80)} instead of ${JSON.stringify(row.expected)}`);
  }
}

function cold(subject: Subject, { source }: Row): Round {
  let opened: Opened | undefined;
  return {
    async go() {
      opened = await subject.open({ warm: false });
      return opened.run(source);
    },
    close: async () => opened?.close(),
  };
}

async function from(opened: Opened, row: Row): Promise<Round | undefined> {
  const close = (): Promise<void> => opened.close();
  switch (row.kind) {
    case 'cold':
      return undefined;
    case 'module':
      if (!opened.again) return undefined;
      await opened.run(row.source);
      return again(opened, row.source);
    case 'spare':
      await wait(SETTLE_MS);
      return { go: () => opened.run(row.source), close };
    case 'kill':
      return kill(opened, row.source);
    case 'warm':
      // CPU rows: until the engine's code is compiled for good, which differs from worker to worker.
      for (let i = 0; i < (row.cpu ? 3 : 2); i++) await opened.run(row.source);
      await wait(SETTLE_MS);
      return { go: () => opened.run(row.source), close };
    case 'cancel':
      return cancel(opened, row.source);
    case 'many':
      return many(opened, row.source);
  }
}

function again(opened: Opened, source: string): Round {
  let next: Opened | undefined;
  return {
    async go() {
      next = opened.again?.();
      return next?.run(source);
    },
    async close() {
      await next?.close();
      await opened.close();
    },
  };
}

async function endless(opened: Opened, source: string): Promise<Started | undefined> {
  if (!opened.start) return undefined;
  await opened.run('return 1;');
  await wait(SETTLE_MS);
  const before = callsSoFar();
  const started = opened.start(source);
  started.outcome.catch(() => undefined);
  while (callsSoFar() === before) await wait(5);
  await wait(COMPUTING_MS);
  return started;
}

async function kill(opened: Opened, source: string): Promise<Round | undefined> {
  const started = await endless(opened, 'await tools.echo({ i: 0 }); for (;;);');
  if (!started) return undefined;
  // The spare that an idle application has.
  await wait(SETTLE_MS * 2);
  started.cancel();
  await started.outcome.catch(() => undefined);
  return { go: () => opened.run(source), close: () => opened.close() };
}

async function cancel(opened: Opened, source: string): Promise<Round | undefined> {
  const started = await endless(opened, source);
  if (!started) return undefined;
  return {
    async go() {
      started.cancel();
      await started.outcome.catch(() => undefined);
    },
    close: () => opened.close(),
  };
}

async function many(opened: Opened, source: string): Promise<Round> {
  await opened.run(source);
  await wait(SETTLE_MS);
  const runs = opened.sessions(SESSIONS);
  return {
    async go() {
      const values = await Promise.all(runs.map((run) => run(source)));
      return values.every((value) => value === values[0]) ? values[0] : values;
    },
    close: () => opened.close(),
  };
}
