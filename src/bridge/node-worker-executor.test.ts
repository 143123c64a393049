import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { createNodeExecutor } from './node-worker-executor.ts';
import { describeExecutor } from './test-tools/executor-conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'codemode-'));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeExecutor({
  name: 'node',
  create: createNodeExecutor,
  createFrom(text, options) {
    const file = join(folder, `worker-${++files}.mjs`);
    writeFileSync(file, text);
    return createNodeExecutor({ ...options, workerUrl: pathToFileURL(file) });
  },
});
