import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImports } from './imports.ts';
import { RULES, type SourceFile, violations } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = ['react-code-mode', 'react-code-mode/core', 'react-code-mode/styles.css'];

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function publicSpecifiers(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports?: Record<string, unknown> };
  return Object.keys(exports ?? {}).map((key) => `react-code-mode${key.slice(1)}`);
}

describe('the architecture', () => {
  test('every import of src, worker and demo is one the table allows', () => {
    const files = ['src', 'worker', 'demo'].flatMap(filesUnder);
    expect(files.length).toBeGreaterThan(20);
    expect(violations(files, publicSpecifiers())).toEqual([]);
    // It parses every file of the project.
  }, 60_000);

  test('no two folders depend on each other, types included', () => {
    const above = (name: string, seen: string[]): void => {
      expect(seen, `folder cycle through ${name}`).not.toContain(name);
      const rule = RULES[name];
      for (const next of [...(rule?.uses ?? []), ...(rule?.types ?? [])]) above(next, [...seen, name]);
    };
    for (const name of Object.keys(RULES)) above(name, []);
  });
});

/** [what is wrong, file, its text, part of the complaint] */
const PLANTED: readonly (readonly [string, string, string, string])[] = [
  ['a value edge upwards', 'src/journal/x.ts', "import { x } from '../session/run.ts'", 'journal may not import session'],
  ['a type edge upwards', 'src/policy/x.ts', "import type { X } from '../store/state.ts'", 'policy may not import store (type)'],
  ['an inline import type', 'src/policy/x.ts', "export type X = import('../react/x.ts').X", 'policy may not import react (type)'],
  ['a re-export', 'src/bridge/x.ts', "export { x } from '../policy/x.ts'", 'bridge may not import policy'],
  ['a dynamic import', 'src/bridge/x.ts', "void import('../catalog/x.ts')", 'bridge may not import catalog'],
  [
    'a value where only types may pass',
    'src/protocol/x.ts',
    "import { CodeModeError } from '../errors.ts'",
    'protocol may not import errors',
  ],
  [
    'react using catalog code',
    'src/react/x.ts',
    "import { createCatalog } from '../catalog/create-catalog.ts'",
    'react may not import catalog',
  ],
  [
    'the page reading the worker',
    'src/bridge/x.ts',
    "import { x } from '../../worker/engine.ts'",
    'bridge may not import worker',
  ],
  ['the worker reading the page', 'worker/x.ts', "import { x } from '../src/bridge/x.ts'", 'worker may not import bridge'],
  ['a foreign package', 'src/session/x.ts', "import { z } from 'zod'", 'the package "zod"'],
  ['the whole of zustand in the store', 'src/store/x.ts', "import { create } from 'zustand'", 'the package "zustand"'],
  ['a package in the protocol', 'src/protocol/x.ts', "import type { X } from 'comlink'", 'the package "comlink" (type)'],
  ['Node in a page file', 'src/bridge/web-x.ts', "import { join } from 'node:path'", 'the package "node:path"'],
  ['Node without its prefix', 'src/bridge/node-x.ts', "import { join } from 'path'", 'the package "path"'],
  ['a host as a value in an adapter', 'src/adapters/ai-sdk.ts', "import { tool } from 'ai'", 'the package "ai"'],
  ['the playground behind the entries', 'demo/x.ts', "import { x } from '../src/core.ts'", 'public specifiers only'],
  ['the playground with an unknown entry', 'demo/x.ts', "import { x } from 'react-code-mode/session/x'", 'is no public entry'],
  ['an unknown folder', 'src/helpers/x.ts', 'export const x = 1', 'belongs to no known module'],
  ['an unknown entry', 'src/extra.ts', "export { x } from './session/x.ts'", 'belongs to no known module'],
  ['code in an entry', 'src/core.ts', 'export const x = 1', 'may only re-export'],
  ['react through the core entry', 'src/core.ts', "export { x } from './react/x.ts'", 'may not import react'],
];

describe('the architecture test finds', () => {
  test.each(PLANTED)('%s', (_what, path, text, complaint) => {
    expect(violations([{ path, text }], PUBLIC).join('\n')).toContain(complaint);
  });

  test('a cycle of three files', () => {
    const ring = ['a', 'b', 'c'].map((name, i, all) => ({
      path: `src/session/${name}.ts`,
      text: `import { x } from './${all[(i + 1) % 3]}.ts'; export const ${name} = x`,
    }));
    expect(violations(ring, PUBLIC)).toEqual([
      'cycle: src/session/a.ts → src/session/b.ts → src/session/c.ts → src/session/a.ts',
    ]);
  });

  test('Node modules that a page entry reaches through others', () => {
    const files = [
      { path: 'src/core.ts', text: "export { x } from './bridge/x.ts'" },
      { path: 'src/bridge/x.ts', text: "export { x } from './node-x.ts'" },
      { path: 'src/bridge/node-x.ts', text: "import { Worker } from 'node:worker_threads'; export const x = Worker" },
    ];
    expect(violations(files, PUBLIC).join('\n')).toContain('src/core.ts reaches src/bridge/node-x.ts');
  });

  test('a dynamic import that nobody can check', () => {
    expect(() => readImports('src/session/x.ts', 'void import(name)')).toThrow('computed name');
  });
});

describe('the architecture test allows', () => {
  test.each([
    ['types of errors in the protocol', 'src/protocol/x.ts', "import type { ErrorCode } from '../errors.ts'"],
    ['types of a host in an adapter', 'src/adapters/ai-sdk.ts', "import type { Tool } from 'ai'"],
    ['Node in a file named node-', 'src/bridge/node-x.ts', "import { Worker } from 'node:worker_threads'"],
    ['a folder its own neighbours', 'src/react/x.ts', "import { y } from './dialog/y.ts'"],
    [
      'the playground its public specifiers',
      'demo/x.ts',
      "import { x } from 'react-code-mode/core'; import 'react-code-mode/styles.css'",
    ],
    ['tests to put all layers together', 'src/journal/x.test.ts', "import { x } from '../session/x.ts'"],
  ])('%s', (_what, path, text) => {
    expect(violations([{ path, text }], PUBLIC)).toEqual([]);
  });
});
