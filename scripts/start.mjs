// `npm start`: installs what is missing, builds what changed, serves the playground and prints its address.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Explained, ROOT, checkNode, command, installMissing, isFree, run } from './setup.mjs';

const DEFAULT_PORT = 5173;
const VITE = join('node_modules', 'vite', 'bin', 'vite.js');
const INPUTS = ['src', 'worker', 'demo', 'scripts', 'vite.config.ts', 'package-lock.json'];
const BUILT = join(ROOT, 'demo/dist/index.html');

/** @param {string} line */
const say = (line) => console.log(line);

/**
 * @param {string} path
 * @returns {number} newest change under a path, epoch ms.
 */
function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules');
  return Math.max(0, ...names.map((name) => newest(join(path, name))));
}

async function buildPlayground() {
  const changed = Math.max(...INPUTS.map((name) => newest(join(ROOT, name))));
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > changed) return say('The playground is built already.');
  say('Building the playground …');
  const { code } = await run(process.execPath, [VITE, 'build', '--logLevel', 'warn']);
  if (code !== 0) throw new Explained('The playground could not be built: the lines above say why.');
}

/** @param {string | undefined} wanted */
async function choosePort(wanted) {
  if (wanted !== undefined) {
    const port = Number(wanted);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Explained(`"${wanted}" is no port: use a number from 1 to 65535.`);
    if (!(await isFree(port)))
      throw new Explained(`Port ${port} is taken: end what listens there, or choose another with --port.`);
    return port;
  }
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + 20; port++) if (await isFree(port)) return port;
  throw new Explained(`Ports ${DEFAULT_PORT} to ${DEFAULT_PORT + 19} are all taken: choose one with "npm start -- --port 8080".`);
}

function options() {
  try {
    return parseArgs({ options: { port: { type: 'string', short: 'p' } } }).values;
  } catch (error) {
    throw new Explained(`${error instanceof Error ? error.message : error} Usage: npm start -- [--port 5173]`);
  }
}

/**
 * Serves until it is ended; resolves with the exit code.
 * @param {number} port
 * @returns {Promise<number>}
 */
function serve(port) {
  return new Promise((resolve) => {
    const args = [VITE, 'preview', '--port', String(port), '--strictPort', '--logLevel', 'warn'];
    const server = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    let ended = false;
    for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM'])) {
      process.on(signal, () => {
        ended = true;
        server.kill(signal);
      });
    }
    server.on('close', (code) => resolve(ended ? 0 : (code ?? 1)));
    void announce(port, () => server.exitCode === null);
  });
}

/**
 * Says the address once it answers.
 * @param {number} port
 * @param {() => boolean} alive
 */
async function announce(port, alive) {
  const url = `http://localhost:${port}/`;
  while (alive()) {
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return say(`\n  Playground: ${url}\n  (Ctrl+C ends it)\n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

await command(async () => {
  checkNode();
  const port = await choosePort(options().port);
  await installMissing(say);
  await buildPlayground();
  return serve(port);
});
