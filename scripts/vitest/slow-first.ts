/**
 * The order of the test files: those that take long first, so that no core is left with one that began last. Where Vitest has
 * no times of an earlier run it goes by the size of a file, and the longest of ours are lists in few lines. Before them, one
 * after another, those that render: a process goes on with the next file only where that wants the same environment.
 */
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files and folders, the longest first. */
const SLOW = [
  'e2e/worker-start/',
  'e2e/memory/',
  'e2e/hostile/programs.',
  'src/bridge/node-worker-executor.',
  'scripts/soak/',
  'e2e/hostile/',
  'worker/sandbox/limits.',
  'worker/sandbox/engine.',
  'src/catalog/signatures.',
  'src/session/preflight.',
  'e2e/',
];

const rank = ({ moduleId }: TestSpecification): number => {
  if (readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')) return -1;
  const at = SLOW.findIndex((part) => moduleId.replaceAll('\\', '/').includes(`/${part}`));
  return at < 0 ? SLOW.length : at;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Projects stay one after another; what has the same rank stays as it is.
    return sorted.sort((a, b) => {
      if (a.project.name !== b.project.name) return a.project.name < b.project.name ? -1 : 1;
      return rank(a) - rank(b);
    });
  }
}
