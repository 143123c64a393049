import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { bundleWorker } from './scripts/build-worker.ts';

/** What is inside worker.js; its licences travel in the package as the texts their authors ship. */
const INSIDE_WORKER = ['comlink', '@jitl/quickjs-wasmfile-release-sync', 'acorn', '@sveltejs/acorn-typescript'];

function licences(): string {
  const require = createRequire(import.meta.url);
  const texts = INSIDE_WORKER.map((name) => {
    const folder = [`node_modules/${name}`].find(existsSync) ?? dirname(require.resolve(`${name}/package.json`));
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string;
      license: string;
    };
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : 'No text is shipped with this package.'}`;
  });
  return `worker.js contains the following packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The two modules whose form in the package differs from the sources: the worker's address and its text. */
const packaged = (worker: string): NonNullable<UserConfig['plugins']> => ({
  name: 'react-code-mode:packaged',
  load(id: string) {
    if (id.endsWith('/src/worker-url.ts')) return "export const workerUrl = new URL('./worker.js', import.meta.url);";
    if (id.endsWith('/src/worker-source.ts')) {
      return `const text = ${JSON.stringify(worker)};\nexport function workerSource() { return Promise.resolve(text); }`;
    }
    return undefined;
  },
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }) {
    const emit = (fileName: string, source: string): void => this.emitFile({ type: 'asset', fileName, source });
    emit('worker.js', worker);
    emit('worker-licences.txt', licences());
    // TypeScript 6 stops at `import '…/styles.css'` without a declaration.
    emit('styles.d.ts', 'export {};\n');
    emit('worker.d.ts', 'export {};\n');
  },
});

interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { readonly isEntry: boolean; readonly importers: readonly string[]; readonly importedIds: readonly string[] } | null;
}

/** What a page loads with its first run. */
const FIRST_RUN = /\/src\/(?:session\/runtime|bridge\/web-worker-pool|catalog\/catalog-runtime)\.ts$/;
/** What starts a worker; it is loaded side by side with the rest. */
const POOL = /\/src\/bridge\/web-worker-pool\.ts$/;
/** Where it does not matter that an entry loads all of the first run at once. */
const NODE_ENTRY = /\/src\/node\.ts$/;

/**
 * All that comes with the first run in two files that are asked for together: the smaller one starts the worker, which takes
 * longest, while the other is still on its way. Whatever an entry for pages needs at once, or a part that is loaded by
 * itself, stays where it is.
 */
function firstRun(id: string, graph: ModuleGraph): string | null {
  const roots = new Set<string>();
  const seen = new Set<string>();
  const climb = (at: string): void => {
    if (seen.has(at)) return;
    seen.add(at);
    const module = graph.getModuleInfo(at);
    if (FIRST_RUN.test(at) || module?.isEntry || module?.importers.length === 0) roots.add(at);
    if (!FIRST_RUN.test(at)) module?.importers.forEach(climb);
  };
  climb(id);
  const all = [...roots];
  const only = all.every((root) => FIRST_RUN.test(root) || NODE_ENTRY.test(root)) && all.some((root) => FIRST_RUN.test(root));
  if (!only) return null;
  return all.some((root) => POOL.test(root)) ? 'first-worker' : 'first-run';
}

/** What an entry shows at once and what a page loads later both need. */
const SHARED = /\/src\/(?:react\/.*|store\/history)\.tsx?$/;

/**
 * What a part that is loaded later shares with an entry, each in a file of its own. Inside the entry's file, bundlers would
 * load it at once in every application, because the later part imports it from there.
 */
function sharedWithLater(id: string, graph: ModuleGraph): string | null {
  if (!SHARED.test(id)) return null;
  const seen = new Set<string>();
  let isLater = false;
  let isEntry = false;
  const climb = (at: string): void => {
    if (seen.has(at)) return;
    seen.add(at);
    const module = graph.getModuleInfo(at);
    isEntry ||= module?.isEntry === true;
    isLater ||= module?.isEntry === false && module.importers.length === 0;
    module?.importers.forEach(climb);
  };
  climb(id);
  return isLater && isEntry ? basename(id).replace(/\.tsx?$/, '') : null;
}

/**
 * What the named files need at once, in one file. The entries then only hand on, and bundlers leave out what an
 * application does not import from them: code of their own would keep all that they import, because later parts share it.
 */
function atOnce(
  name: string,
  within: RegExp,
  ...files: readonly string[]
): { name(id: string, graph: ModuleGraph): string | null } {
  const needed = new Set<string>();
  const walk = (at: string, graph: ModuleGraph): void => {
    if (needed.has(at)) return;
    needed.add(at);
    for (const next of graph.getModuleInfo(at)?.importedIds ?? []) walk(next, graph);
  };
  return {
    name(id, graph) {
      for (const file of files) walk(resolve(file), graph);
      return within.test(id) && needed.has(id) ? name : null;
    },
  };
}

// The limits by themselves: the codec needs them, also where no program runs (a tracing entry, a file that is looked at).
const CODE_MODE = atOnce('code-mode', /^(?!.*\/src\/protocol\/limits\.ts$)/, 'src/session/create-code-mode.ts');
const REACT = atOnce(
  'react',
  // What it takes from below is the first run's as well, and that must not need React.
  /\/src\/react\//,
  'src/react/use-code-mode.ts',
  'src/react/CodeModeProvider.tsx',
  'src/react/approval/ApprovalDialog.tsx',
  'src/react/trace/TracePanel.tsx',
);

export default defineConfig(
  async (): Promise<UserConfig> => ({
    entry: ['index', 'core', 'node', 'journal', 'otel', 'ai-sdk', 'openai', 'anthropic', 'mcp', 'testing']
      .map((name) => `src/${name}.ts`)
      .filter((path) => existsSync(path)),
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    deps: { neverBundle: [/^node:/] },
    dts: { oxc: true },
    // `AsyncDisposable` is in no TypeScript library that an application has by default; compilers from 5.2 on ship this one.
    banner: { dts: '/// <reference lib="esnext.disposable" />' },
    tsconfig: 'tsconfig.json',
    clean: true,
    minify: false,
    sourcemap: false,
    outputOptions: {
      // By its own name Node finds the older of its two forms, and loads its parser for such modules: 8 ms of every start.
      paths: { comlink: 'comlink/dist/esm/comlink.mjs' },
      codeSplitting: {
        groups: [CODE_MODE, REACT, { name: firstRun }, { name: sharedWithLater }],
        includeDependenciesRecursively: false,
      },
    },
    copy: existsSync('src/react/styles.css') ? [{ from: 'src/react/styles.css', to: 'dist' }] : [],
    plugins: [packaged(await bundleWorker())],
  }),
);
