/**
 * How a worker thread gets its file. As a script from a text, compiled code along with it: the platform's loader of modules
 * and the compilation of the file are half of what a thread costs (15 of 30 ms). `import()` in such a script is refused.
 */
import { readFileSync } from 'node:fs';

export interface NodeBoot {
  /** What the thread starts with: these first lines, or the path of a file that has to be a module. */
  readonly main: string;
  /** `main` is text. */
  readonly evaluated: boolean;
  readonly data?: { readonly text: string; readonly path: string };
}

/**
 * In a block, because names at the top would be there for all code of the realm. Compiled code that does not fit (another
 * flag of the engine, another version) is left aside by the platform.
 */
const FIRST_LINES = `{
  const threads = require('node:worker_threads');
  const { Script } = require('node:vm');
  const { text, path, code } = threads.workerData;
  threads.workerData = null;
  let script;
  try {
    script = new Script(text, { filename: path, cachedData: code });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Not ours: a module.
    import(require('node:url').pathToFileURL(path).href);
  }
  if (script) {
    globalThis.codemodeCode = () => script.createCachedData();
    script.runInThisContext();
  }
}`;

/** At once, half a millisecond: the first thread starts before this one goes on with what it has to load. @throws Error when there is no such file */
export function readBoot(path: string): NodeBoot {
  if (path.endsWith('.mjs')) return { main: path, evaluated: false };
  return { main: FIRST_LINES, evaluated: true, data: { text: readFileSync(path, 'utf8'), path } };
}
