import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FEATURES_OFF, findChromium, findFirefox } from './browser.mjs';
import { ROOT, checkNode, freePort, isFree, isInstalled } from './setup.mjs';

// Whole commands are started; a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });
afterEach(() => vi.unstubAllEnvs());

describe('the commands explain in one sentence', () => {
  test.each(['18.20.4', '20.18.3'])('that Node %s is too old', (version) => {
    expect(() => checkNode(version)).toThrow(`Node ${version} is too old`);
  });

  test.each(['20.19.0', '22.12.0', '24.1.0'])('nothing about Node %s', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  test('that the port is taken', async () => {
    const port = await freePort();
    const other = createServer().listen(port, 'localhost');
    await new Promise((resolve) => other.once('listening', resolve));
    expect(await isFree(port)).toBe(false);
    const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--port', String(port)], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    other.close();
    expect(stderr.trim()).toBe(`Port ${port} is taken: end what listens there, or choose another with --port.`);
    expect(status).toBe(1);
  });

  test('that there is no such suite', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', 'nonsense'], { cwd: ROOT, encoding: 'utf8' });
    expect(stderr).toContain('There is no suite "nonsense"');
    expect(status).toBe(1);
  });
});

test('what is installed here is what the lock file says', () => {
  expect(isInstalled()).toBe(true);
});

test('what Playwright turns off in Chromium is turned off here too', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const text = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[([^\]]+)\]/.exec(text)?.[1] ?? '';
  const names = [...list.matchAll(/^ *"(\w+)",?$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(FEATURES_OFF).toEqual(expect.arrayContaining(names));
});

describe('the browser finder', () => {
  test('takes CHROMIUM_PATH at its word', async () => {
    vi.stubEnv('CHROMIUM_PATH', process.execPath);
    expect(await findChromium()).toBe(process.execPath);
    vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
    await expect(findChromium()).rejects.toThrow('which is no runnable file');
  });

  test.skipIf(process.platform === 'win32')('finds a browser on PATH', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'browsers-'));
    for (const name of ['google-chrome', 'firefox']) {
      writeFileSync(join(folder, name), '#!/bin/sh\n');
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('FIREFOX_PATH', '');
    vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', folder);
    vi.stubEnv('PATH', folder);
    expect(await findChromium()).toBe(join(folder, 'google-chrome'));
    expect(findFirefox()).toBe(join(folder, 'firefox'));
    rmSync(folder, { recursive: true });
  });
});
