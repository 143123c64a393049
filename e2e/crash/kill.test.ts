/** A real process is killed (SIGKILL) at appends of its journal, life after life; the last one brings the run to its end. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundleForNode } from '../../scripts/bundle.mjs';

/** Appends of one life after the other, until a life that is not killed. */
const LIVES: readonly (readonly number[])[] =
  process.env['CRASH_POINTS'] === 'all' ? [[1], [3, 5], [7, 4, 6], [20, 9], [33], [41, 2, 3], [57, 11], [70]] : [[20, 9]];

let child = '';
beforeAll(async () => {
  child = join(await bundleForNode('crash-child', { child: 'e2e/crash/child.ts' }), 'child.mjs');
}, 120_000);

function life(folder: string, appends: number): Promise<{ readonly signal: string | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [child, folder, String(appends)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let errors = '';
    run.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    run.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    run.on('error', reject);
    run.on('close', (code, signal) => (code === 0 || signal ? resolve({ signal, said }) : reject(new Error(errors))));
  });
}

it.each(LIVES)('killed after %s appends', { timeout: 120_000 }, async (...lives) => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const appends of lives) expect(await life(folder, appends)).toEqual({ signal: 'SIGKILL', said: '' });
  const { signal, said } = await life(folder, 0);
  expect(signal).toBeNull();
  expect(JSON.parse(said)).toEqual({
    outcome: { status: 'completed', value: [0, 1, 2, 3, 4, 5, 6, 7, 8], output: ['9'] },
    faults: [],
  });
});
