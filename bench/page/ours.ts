/** This package on a page: loaded when it is first needed. */
import type { Subject } from '../subject.ts';
import { ours } from '../subjects/ours.ts';
import { createStorage } from './storage.ts';

export function oursOnPage(): Subject {
  return ours(async () => {
    const { createCodeMode, createWebWorkerExecutor } = await import('react-code-mode/core');
    return { createCodeMode, createExecutor: createWebWorkerExecutor };
  }, createStorage);
}
