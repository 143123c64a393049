/** Pages of one application after another, each with the disk as the one before left it. */
import type { Executor } from '../../../bridge/executor.ts';
import { createCodeMode } from '../../create-code-mode.ts';
import type { CodeModeOptions, Session } from '../../types.ts';
import type { Disk } from './crashing-storage.ts';

export interface Pages extends AsyncDisposable {
  /** The disk's session in a new page. */
  open(disk: Disk, options: Partial<CodeModeOptions>): Session;
}

/** Disposing ends all pages, and the executor after them. */
export function createPages(executor: Executor): Pages {
  const pages: AsyncDisposable[] = [];
  return {
    open(disk, options) {
      const codeMode = createCodeMode({ tools: [], executor, storage: disk.page(), ...options });
      pages.push(codeMode);
      return codeMode.session({ id: disk.sessionId });
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages) await page[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}
