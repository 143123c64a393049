/** A process with a journal in a file. It kills itself after so many appends; else it says how the run ended. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalLog } from '../../src/journal/storage.ts';
import { createNodeExecutor } from '../../src/node.ts';
import { PROGRAMS } from '../../src/session/replay/test-tools/crash-programs.ts';
import { createWorld, essence, faultsOf, openPage } from '../../src/session/replay/test-tools/world.ts';

const [folder = '', limit = ''] = process.argv.slice(2);
const [journal, effects] = [join(folder, 'journal'), join(folder, 'effects')];
const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);

let left = Number(limit);
const log: JournalLog = {
  events: linesOf(journal).map((line): unknown => JSON.parse(line)),
  append(events) {
    for (const event of events) {
      appendFileSync(journal, `${JSON.stringify(event)}\n`);
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
    }
    return undefined;
  },
  putValue: (ref, text) => writeFileSync(join(folder, encodeURIComponent(ref)), text) ?? undefined,
  getValue: (ref) => readFileSync(join(folder, encodeURIComponent(ref)), 'utf8'),
  close: () => undefined,
};
const storage = { open: () => log, list: () => [], delete: () => undefined };

const executor = createNodeExecutor();
const world = createWorld(linesOf(effects), (key) => appendFileSync(effects, `${key}\n`));
const { session } = openPage('chat', storage, world, executor);
const outcome = await session.run(PROGRAMS['many things at once'] ?? '', { id: 'run-1' }).outcome;
process.stdout.write(JSON.stringify({ outcome: essence(outcome), faults: faultsOf(linesOf(journal), world) }));
await executor[Symbol.asyncDispose]();
