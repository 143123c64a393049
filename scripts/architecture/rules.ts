/** Who may import whom. The table of the design in data; `violations` judges a set of files with it. */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { type Import, isReExportOnly, readImports } from './imports.ts';

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Rule {
  /** Modules of ours it may use. */
  readonly uses: readonly string[];
  /** Modules of ours it may use the types of. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  readonly typePackages?: readonly string[];
}

const PURE = ['errors', 'protocol'];
const BELOW_SESSION = [...PURE, 'journal', 'catalog', 'policy', 'bridge', 'store'];
const CORE = [...BELOW_SESSION, 'session'];

/** One row a folder of `src/`, plus `worker` and the single file `errors.ts`. A folder without a row is refused. */
export const RULES: Readonly<Record<string, Rule>> = {
  errors: { uses: [] },
  // The wire names error codes; nothing of errors.ts is needed when types are erased.
  protocol: { uses: [], types: ['errors'] },
  journal: { uses: PURE, packages: ['idb'] },
  catalog: {
    uses: PURE,
    packages: ['@cfworker/json-schema', '@noble/hashes/sha2.js', '@noble/hashes/utils.js'],
    typePackages: ['@standard-schema/spec'],
  },
  policy: { uses: [...PURE, 'catalog', 'journal'] },
  // The worker's file and its text; the build swaps both. Only the bridge asks.
  'worker-address': { uses: [] },
  bridge: { uses: [...PURE, 'worker-address'], packages: ['comlink'] },
  store: { uses: ['protocol', 'journal'], packages: ['zustand/vanilla'] },
  session: { uses: BELOW_SESSION, typePackages: ['@standard-schema/spec'] },
  react: {
    // The journal for masking and run files; the views never write one.
    uses: ['session', 'store', 'journal'],
    // The views show what protocol and policy describe; they never build it.
    types: ['policy', 'catalog', 'protocol', 'errors'],
    typePackages: ['@standard-schema/spec'],
    packages: ['react', 'react/jsx-runtime', 'react-dom', 'zustand', 'zustand/*', 'sugar-high', 'sugar-high/*'],
  },
  adapters: { uses: ['session', 'protocol'], types: ['catalog'] },
  otel: { uses: ['protocol', 'journal'], packages: ['@opentelemetry/api'] },
  testing: { uses: CORE },
  node: { uses: CORE, packages: ['node:*'] },
  worker: {
    uses: PURE,
    packages: ['comlink', '@jitl/quickjs-wasmfile-release-sync/*', 'acorn', '@sveltejs/acorn-typescript'],
  },
};

/** Public entries, and the modules each may hand on. `src/<name>.ts`, re-exports only. */
export const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  index: [...CORE, 'react', 'entry:core'],
  core: CORE,
  node: [...CORE, 'node'],
  server: CORE,
  journal: ['journal'],
  otel: ['otel'],
  'ai-sdk': ['adapters'],
  openai: ['adapters'],
  anthropic: ['adapters'],
  mcp: ['adapters'],
  testing: [...CORE, 'react', 'testing'],
};

/** Files of a layer that live on Node; they alone may import its modules. */
const NODE_FILE = /(^|\/)node-[\w-]+\.ts$/;

/** The one place of `src` that names the worker: its address and its text, both swapped by the build. */
const WORKER_ADDRESS = /^src\/worker-(url|source)\.ts$/;

const isTest = (path: string): boolean =>
  /\.(test|test-d|test-kit)\.tsx?$/.test(path) || /(^|\/)(testing-tools|test-tools)\//.test(path);

/** The module a file belongs to: a folder of `src`, `errors`, `entry:<name>`, `worker` or `demo`. */
export function moduleOf(path: string): string | undefined {
  const [top, second] = path.split('/');
  if (top === 'worker' || top === 'demo') return top;
  if (top !== 'src' || second === undefined) return undefined;
  if (path === 'src/errors.ts') return 'errors';
  if (WORKER_ADDRESS.test(path)) return 'worker-address';
  const entry = /^src\/([\w-]+)\.tsx?$/.exec(path)?.[1];
  if (entry) return entry in ENTRIES ? `entry:${entry}` : undefined;
  return second in RULES && !['worker', 'worker-address', 'errors'].includes(second) ? second : undefined;
}

/** Files are asked about more than once; parsing is the slow part. */
const known = new WeakMap<SourceFile, readonly Import[]>();

function importsOf(file: SourceFile): readonly Import[] {
  const imports = known.get(file) ?? readImports(file.path, file.text);
  known.set(file, imports);
  return imports;
}

const isPackage = (specifier: string): boolean => !specifier.startsWith('.') && !specifier.startsWith('virtual:');

function packageAllowed(specifier: string, allowed: readonly string[]): boolean {
  if (builtinModules.includes(specifier)) return false;
  return allowed.some((name) => name === specifier || (name.endsWith('*') && specifier.startsWith(name.slice(0, -1))));
}

function judgePackage(file: SourceFile, module: string, rule: Rule, item: Import): string | undefined {
  const allowed = [...(rule.packages ?? []), ...(item.typeOnly ? (rule.typePackages ?? []) : [])];
  if (packageAllowed(item.specifier, allowed)) return undefined;
  if (item.specifier.startsWith('node:') && (NODE_FILE.test(file.path) || (module === 'worker' && item.dynamic)))
    return undefined;
  if (module === 'adapters' && item.typeOnly) return undefined;
  return `${file.path}:${item.line} ${module} may not import the package "${item.specifier}"${item.typeOnly ? ' (type)' : ''}`;
}

function judgeOurs(file: SourceFile, module: string, rule: Rule, item: Import): string | undefined {
  const target = posix.join(posix.dirname(file.path), item.specifier.replace(/\?.*$/, ''));
  if (target.endsWith('.css') || (module === 'worker' && target.startsWith('worker/'))) return undefined;
  if (WORKER_ADDRESS.test(file.path) && /^(\.cache|worker)\//.test(target)) return undefined;
  const other = moduleOf(target);
  if (other === module) return undefined;
  if (other && (rule.uses.includes(other) || (item.typeOnly && rule.types?.includes(other)))) return undefined;
  return `${file.path}:${item.line} ${module} may not import ${other ?? target}${item.typeOnly ? ' (type)' : ''}`;
}

/** The playground is a user like any other: its own files, packages, and the public specifiers. */
function judgeDemo(file: SourceFile, item: Import, publicSpecifiers: readonly string[]): string | undefined {
  const { specifier, line } = item;
  if (isPackage(specifier)) {
    const ours = specifier === 'react-code-mode' || specifier.startsWith('react-code-mode/');
    return !ours || publicSpecifiers.includes(specifier) ? undefined : `${file.path}:${line} "${specifier}" is no public entry`;
  }
  const target = posix.join(posix.dirname(file.path), specifier);
  return target.startsWith('demo/') ? undefined : `${file.path}:${line} demo may not import ${target}; public specifiers only`;
}

function judgeFile(file: SourceFile, publicSpecifiers: readonly string[]): string[] {
  const module = moduleOf(file.path);
  if (!module) return [`${file.path} belongs to no known module; give its folder a row in scripts/architecture/rules.ts`];
  const imports = importsOf(file);
  if (module === 'demo') return imports.flatMap((item) => judgeDemo(file, item, publicSpecifiers) ?? []);
  const entry = module.startsWith('entry:');
  const rule: Rule = entry ? { uses: ENTRIES[module.slice(6)] ?? [] } : RULES[module]!;
  const found = imports.flatMap(
    (item) => (isPackage(item.specifier) ? judgePackage(file, module, rule, item) : judgeOurs(file, module, rule, item)) ?? [],
  );
  if (entry && !isReExportOnly(file.path, file.text)) found.push(`${file.path} is a public entry and may only re-export`);
  return found;
}

/** Value imports among the files, as a graph of paths. Types are erased and cannot make a cycle at run time. */
function valueGraph(files: readonly SourceFile[]): Map<string, string[]> {
  const known = new Set(files.map((file) => file.path));
  const resolve = (from: string, specifier: string): string[] => {
    const target = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
    return known.has(target) ? [target] : [];
  };
  return new Map(
    files.map((file) => {
      const imports = importsOf(file).filter((item) => !item.typeOnly && !isPackage(item.specifier));
      return [file.path, imports.flatMap((item) => resolve(file.path, item.specifier))];
    }),
  );
}

/** Every cycle once, as `a → b → a`. */
export function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) found.push([...trail.slice(at), node].join(' → '));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}

/** Node's modules must not be reachable from an entry that a page loads. */
function nodeOnPages(files: readonly SourceFile[], graph: ReadonlyMap<string, readonly string[]>): string[] {
  const usesNode = new Set(
    files
      .filter((file) => importsOf(file).some((item) => !item.typeOnly && item.specifier.startsWith('node:')))
      .map((file) => file.path),
  );
  return ['src/index.ts', 'src/core.ts'].flatMap((entry) => {
    const seen = new Set<string>();
    const queue = [entry];
    for (let path = queue.shift(); path; path = queue.shift()) {
      if (seen.has(path)) continue;
      seen.add(path);
      if (usesNode.has(path)) return [`${entry} reaches ${path}, which imports node:*`];
      queue.push(...(graph.get(path) ?? []));
    }
    return [];
  });
}

/**
 * All that is wrong with these files. Tests are left out: they put real parts of all layers together.
 * @param publicSpecifiers what `exports` of package.json offers, as `react-code-mode/…`.
 */
export function violations(all: readonly SourceFile[], publicSpecifiers: readonly string[]): string[] {
  const files = all.filter((file) => !isTest(file.path));
  const graph = valueGraph(files);
  return [
    ...files.flatMap((file) => judgeFile(file, publicSpecifiers)),
    ...cycles(graph).map((cycle) => `cycle: ${cycle}`),
    ...nodeOnPages(files, graph),
  ];
}
