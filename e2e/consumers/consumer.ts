/** A folder outside of the repository with the packed package and nothing but what it declares. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');

/** The first block of that language in the README. */
export function readmeBlock(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1];
  if (!block) throw new Error(`README.md has no ${language} block`);
  return block;
}

export interface Result {
  readonly code: number;
  /** Output and errors together. */
  readonly text: string;
  /** Output alone. */
  readonly out: string;
}

/** Runs a Node program in a folder. */
export function node(cwd: string, args: readonly string[]): Promise<Result> {
  return run(process.execPath, args, cwd);
}

function run(command: string, args: readonly string[], cwd: string): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, DEMO_FROM: '' },
    });
    let text = '';
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      out += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    child.on('close', (code) => resolve({ code: code ?? 1, text, out }));
  });
}

let packed: Promise<string> | undefined;

/** Packs `dist` as `npm publish` would, once in each worker of Playwright. */
async function pack(): Promise<string> {
  const folder = `pack-${process.env['TEST_PARALLEL_INDEX'] ?? 'consumer'}`;
  const script = `import('./scripts/pack.mjs').then(async ({ pack }) => console.log((await pack('${folder}')).tarball))`;
  const { code, text, out } = await node(ROOT, ['--input-type=module', '-e', script]);
  if (code !== 0) throw new Error(text);
  return out.trim().split('\n').at(-1)!;
}

function link(folder: string, name: string): void {
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(MODULES, name), target, 'junction');
}

export interface Consumer {
  readonly folder: string;
  /** Starts Vite (`dev`, `preview`) and resolves with its address. */
  serve(args: readonly string[]): Promise<string>;
  vite(args: readonly string[]): Promise<Result>;
  /** Type-checks with a compiler of the repository: `typescript59`, `typescript`, `typescript7`. */
  typecheck(compiler: string, options: Readonly<Record<string, unknown>>): Promise<Result>;
  remove(): Promise<void>;
}

/**
 * Copies `e2e/consumers/<app>` out and installs the tarball there. Only packages that ours declares, and those of the
 * application itself, can be found: an undeclared dependency fails here.
 * @param files texts that replace files of the application
 */
export async function createConsumer(
  app: string,
  ownPackages: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Consumer> {
  const tarball = await (packed ??= pack());
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  cpSync(join(ROOT, 'e2e/consumers', app), folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const installed = join(folder, 'node_modules/react-code-mode');
  mkdirSync(installed, { recursive: true });
  const unpacked = await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], folder);
  if (unpacked.code !== 0) throw new Error(unpacked.text);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of new Set([...Object.keys(dependencies), ...ownPackages])) link(folder, name);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const servers: ChildProcess[] = [];
  const vite = join(MODULES, 'vite/bin/vite.js');
  return {
    folder,
    vite: (args) => node(folder, [vite, ...args]),
    serve: (args) => serve(servers, folder, [vite, ...args]),
    typecheck(compiler, options) {
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        jsx: 'react-jsx',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        ...options,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
      return node(folder, [join(MODULES, compiler, 'bin/tsc'), '-p', folder, '--pretty', 'false']);
    },
    async remove() {
      for (const server of servers) server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serve(servers: ChildProcess[], cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    servers.push(child);
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk;
      const url = /http:\/\/localhost:\d+\//.exec(text)?.[0];
      if (url) resolve(url);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('close', (code) => reject(new Error(`The server ended with ${code}:\n${text}`)));
  });
}
