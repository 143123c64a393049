// One subject each in a process (Node) or browser (Chromium) of its own, so that no subject pays for another's garbage or crash.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS } from '../browser.mjs';
import { ROOT } from '../setup.mjs';

/** @typedef {{ wall: number, cpu?: number }} Measured milliseconds */
/**
 * @typedef {object} Host
 * @property {(row: string) => Promise<boolean>} prepare
 * @property {() => Promise<Measured>} go
 * @property {() => Promise<void>} finish the round
 * @property {() => Promise<void>} end the host
 */

/**
 * @param {string} bundle
 * @param {string} subject
 * @returns {Promise<Host>}
 */
export async function openNodeHost(bundle, subject) {
  const child = fork(join(ROOT, 'scripts/bench/child.mjs'), [bundle, join(ROOT, 'bench/peers/import.mjs'), subject], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2_000)));
  /** @type {Set<(error: Error) => void>} */
  const waiting = new Set();
  child.on('exit', (code, signal) => {
    const last = /^(\w*Error: .*)$/m.exec(said)?.[1] ?? `exit ${code ?? signal}`;
    for (const fail of waiting) fail(new Error(`the process died (${last})`));
  });
  /** @returns {Promise<any>} */
  const next = () =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      child.once('message', (/** @type {any} */ answer) => {
        waiting.delete(reject);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.value);
      });
    });
  /**
   * @param {string} method
   * @param {string} [row]
   */
  const ask = (method, row) => {
    const answer = next();
    if (!child.connected) return Promise.reject(new Error('the process died'));
    child.send({ method, row });
    return answer;
  };
  await next();
  return {
    prepare: (row) => ask('prepare', row),
    go: () => ask('go'),
    finish: () => ask('close'),
    end: async () => void child.kill('SIGKILL'),
  };
}

/**
 * Seconds of CPU of all pages' processes, as the browser itself tells; only the sum over a worker's whole process can be asked for.
 * @param {import('playwright').CDPSession} session
 */
async function cpuSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * @param {string} executablePath
 * @param {string} url
 * @param {string} subject
 * @returns {Promise<Host>}
 */
export async function openPageHost(executablePath, url, subject) {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const session = await browser.newBrowserCDPSession();
  const page = await browser.newPage();
  await page.goto(`${url}/page/index.html?subject=${subject}`);
  await page.waitForFunction(() => 'benchHost' in window);
  /** @type {Promise<never>} */
  const crashed = new Promise((_, reject) => page.on('crash', () => reject(new Error('the page crashed'))));
  crashed.catch(() => undefined);
  return {
    prepare: (row) => Promise.race([crashed, page.evaluate((id) => /** @type {any} */ (window).benchHost.prepare(id), row)]),
    async go() {
      const before = await cpuSeconds(session);
      const measured = await Promise.race([crashed, page.evaluate(() => /** @type {any} */ (window).benchHost.go())]);
      return { ...measured, cpu: ((await cpuSeconds(session)) - before) * 1000 };
    },
    finish: () => Promise.race([crashed, page.evaluate(() => /** @type {any} */ (window).benchHost.close())]),
    end: () => browser.close(),
  };
}
