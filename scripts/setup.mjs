// What `npm start` and `npm test` share: the Node check, the installation of what is missing, and running a step.
// Node builtins only: nothing is installed yet when this runs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(fileURLToPath(import.meta.url), '../..');

/** A reason to stop that a person can act on; printed without a stack. */
export class Explained extends Error {}

/**
 * Vite needs 20.19; the rest of the toolchain runs on every later version.
 * @throws Explained
 */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Explained(`Node ${version} is too old: install Node 20.19 or newer, then run the command again.`);
}

/**
 * Runs a command with its output visible.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, onLine?: (line: string) => void, silent?: boolean }} [options]
 * @returns {Promise<{ code: number, text: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    let text = '';
    /** @param {Buffer} chunk */
    const take = (chunk) => {
      text += chunk;
      if (!options.silent) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 1, text: `${text}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** @param {string} path */
function lockedPackages(path) {
  /** @type {{ packages?: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} */
  const lock = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  return Object.entries(lock.packages ?? {}).filter(([name, item]) => name !== '' && !item.link);
}

/** True when `node_modules` holds what the lock file says (packages for other platforms aside). */
export function isInstalled() {
  if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return false;
  const present = new Map(lockedPackages('node_modules/.package-lock.json'));
  return lockedPackages('package-lock.json').every(
    ([name, item]) => item.optional || present.get(name)?.version === item.version,
  );
}

/**
 * `npm ci` where something is missing.
 * @param {(line: string) => void} say
 * @throws Explained when it cannot be done.
 */
export async function installMissing(say) {
  if (isInstalled()) return;
  say('Installing dependencies (npm ci, about half a minute) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const since = Date.now();
  const ticker = setInterval(() => say(`  … ${Math.round((Date.now() - since) / 1000)} s`), 5_000);
  const { code, text } = npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  clearInterval(ticker);
  if (code === 0) return;
  if (/ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT/.test(text)) {
    throw new Explained('The package registry cannot be reached: connect to the network once, then run the command again.');
  }
  throw new Explained('npm ci failed: the lines above say why.');
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} true when nothing listens there.
 */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
  });
}

/** @returns {Promise<number>} a port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, 'localhost', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Runs a script's main function; a reason that a person can act on is printed as one sentence.
 * @param {() => Promise<number | void>} main
 */
export async function command(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof Explained ? error.message : error);
    process.exitCode = 1;
  }
}
