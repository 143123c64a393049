// The peers of the benchmark: installed into bench/peers only, imported by Node from there, bundled one by one for pages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT, run } from '../setup.mjs';

const FOLDER = join(ROOT, 'bench/peers');

/** What a subject's package is and what a page needs of it. */
const PEERS = {
  run: { package: 'run' },
  'pi-codemode': {
    package: '@earendil-works/pi-codemode',
    page: [
      `export * from '@earendil-works/pi-codemode/portable';`,
      `import address from 'quickjs-wasi/quickjs.wasm?url';`,
      `export const compile = () => WebAssembly.compileStreaming(fetch(address));`,
    ].join('\n'),
  },
  sebastianwessel: { package: '@sebastianwessel/quickjs', page: `export * from '@sebastianwessel/quickjs';` },
  'quickjs-ng': {
    package: '@jitl/quickjs-ng-wasmfile-release-sync',
    page: `export { default } from '@jitl/quickjs-ng-wasmfile-release-sync';`,
  },
  tanstack: { package: '@tanstack/ai-isolate-quickjs', page: `export * from '@tanstack/ai-isolate-quickjs';` },
  cloudflare: { package: '@cloudflare/codemode', page: `export * from '@cloudflare/codemode/browser';` },
};

/** @typedef {keyof typeof PEERS} PeerName */

/** @param {string} name */
const packageOf = (name) => PEERS[/** @type {PeerName} */ (name)]?.package;

/** @param {string} name */
export const isPeerInstalled = (name) => existsSync(join(FOLDER, 'node_modules', packageOf(name) ?? '', 'package.json'));

/** `npm ci` in bench/ when something is missing; without a network the peers' cells say so. */
export async function installPeers() {
  if (Object.keys(PEERS).every(isPeerInstalled)) return;
  console.log('Installing the peers (npm ci in bench/peers, about half a minute) …');
  const args = ['ci', '--prefix', 'bench/peers', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const { code } = npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (code !== 0) console.log('The peers could not be installed; their cells stay empty.');
}

/** A module in bench/peers, whose imports are found beside it; the text is the module. */
const ENTRY = 'virtual:peer';

/** What a page has for Node's modules; a peer that calls the missing ones fails in its cells. */
const NODE_MODULES = {
  buffer: 'buffer/',
  path: 'path-browserify',
  events: 'events/',
  stream: 'stream-browserify',
  util: 'util/',
  process: 'process/browser.js',
};

/**
 * Bundles a peer for pages, minified, WebAssembly beside it.
 * @param {string} name
 * @param {string} outDir
 */
async function bundlePeer(name, outDir) {
  const { page } = /** @type {{ page?: string }} */ (PEERS[/** @type {PeerName} */ (name)]);
  if (page === undefined || !isPeerInstalled(name)) return;
  const entry = join(FOLDER, `page-${name}.js`);
  await build({
    root: FOLDER,
    base: './',
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: Object.entries(NODE_MODULES).map(([name, replacement]) => ({ find: new RegExp(`^(node:)?${name}$`), replacement })),
    },
    plugins: [
      {
        name: 'peer-entry',
        resolveId: (id) => (id === ENTRY ? entry : null),
        load: (id) => (id === entry ? page : null),
      },
    ],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: { [name]: ENTRY },
        preserveEntrySignatures: 'strict',
        checks: { pluginTimings: false },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}

/**
 * @param {string} outDir one `.js` a peer
 * @returns {Promise<Map<string, string>>} peers that cannot be bundled for pages, and why
 */
export async function bundlePeers(outDir) {
  const failed = new Map();
  for (const name of Object.keys(PEERS)) {
    try {
      await bundlePeer(name, outDir);
    } catch (error) {
      failed.set(name, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return failed;
}
