import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import * as valibot from 'valibot';
import * as zod from 'zod';
import * as zod3 from 'zod3';
import { createCatalog } from './create-catalog.ts';
import { ABSENT, catalogFiles, readShared, readTools, sharedFile } from './test-tools/node-shared-data.ts';
import type { Tool } from './tool.ts';

// Each test runs the compiler.
vi.setConfig({ testTimeout: 60_000 });

const execute = (input: unknown) => input;
const declare = (tools: Record<string, Omit<Tool, 'name' | 'execute'>>) =>
  createCatalog(Object.entries(tools).map(([name, tool]) => ({ name, ...tool, execute }))).declarations();

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
  // The compiler's own declarations are not what is tested.
  skipDefaultLibCheck: true,
};
const libraries = new Map<string, ts.SourceFile | undefined>();

let last: ts.Program | undefined;

/** Messages of the compiler about each program, with those about the declarations. */
function compileAll(declarations: string, programs: readonly string[]): string[][] {
  const files: Record<string, string> = { '/tools.d.ts': declarations };
  programs.forEach((text, i) => (files[`/${i}.ts`] = text));
  const host = ts.createCompilerHost(OPTIONS);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const text = files[name];
    if (text !== undefined) return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    if (!libraries.has(name)) libraries.set(name, read(name, ...rest));
    return libraries.get(name);
  };
  host.fileExists = (name) => name in files || ts.sys.fileExists(name);
  host.readFile = (name) => files[name] ?? ts.sys.readFile(name);
  const program = ts.createProgram(Object.keys(files), OPTIONS, host, last);
  last = program;
  const all = ts.getPreEmitDiagnostics(program);
  return programs.map((_, i) =>
    all
      .filter(({ file }) => !/^\/\d+\.ts$/.test(file?.fileName ?? '') || file?.fileName === `/${i}.ts`)
      .map((one) => ts.flattenDiagnosticMessageText(one.messageText, ' ')),
  );
}

const compile = (declarations: string, program = 'export {};'): string[] => compileAll(declarations, [program])[0] ?? [];

const literal = (value: unknown) =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);

/** Checks which values fit the first parameter of a tool. */
function checkFit(declarations: string, tool: string, values: readonly unknown[], wanted: boolean): void {
  const programs = values.map(
    (value) =>
      `type P = Parameters<typeof tools[${JSON.stringify(tool)}]>[0];\nconst x: NonNullable<P> = ${literal(value)};\nexport { x };`,
  );
  const verdicts = compileAll(declarations, programs).map((messages, i) => [values[i], messages.length === 0]);
  expect(verdicts).toEqual(values.map((value) => [value, wanted]));
}

interface StubRecord {
  readonly id: string;
  readonly mode: string;
  readonly tools: Record<string, { description?: string; inputSchema?: unknown; schemaExpr?: string }>;
  readonly expect: {
    readonly includes?: readonly string[];
    readonly maxMs?: number;
    readonly assignable?: Record<string, readonly unknown[]>;
    readonly notAssignable?: Record<string, readonly unknown[]>;
  };
}

const records: readonly StubRecord[] = sharedFile('cases/handed.json')
  ? (readShared('cases/handed.json') as StubRecord[]).filter(({ mode }) => mode === 'stub')
  : [{ id: ABSENT, mode: 'stub', tools: {}, expect: {} }];

describe('declarations of the handed cases', () => {
  it.each(records)('$id', (record) => {
    const tools = Object.entries(record.tools).map(([name, { description, inputSchema, schemaExpr }]) => {
      const schema: unknown = schemaExpr
        ? new Function('zod', 'zod3', 'valibot', `return ${schemaExpr}`)(zod, zod3, valibot)
        : inputSchema;
      return { name, description, inputSchema: schema, execute } as Tool;
    });
    // The best of three: the others share the machine with other tests.
    const times: number[] = [];
    let declarations = '';
    for (let i = 0; i < 3; i++) {
      const started = performance.now();
      declarations = createCatalog(tools).declarations();
      times.push(performance.now() - started);
    }
    if (record.expect.maxMs) expect(Math.min(...times)).toBeLessThan(record.expect.maxMs);
    for (const text of record.expect.includes ?? []) expect(declarations).toContain(text);
    expect(compile(declarations)).toEqual([]);
    for (const [tool, values] of Object.entries(record.expect.assignable ?? {})) checkFit(declarations, tool, values, true);
    for (const [tool, values] of Object.entries(record.expect.notAssignable ?? {})) checkFit(declarations, tool, values, false);
  });
});

describe('declarations', () => {
  it('say what a schema says', () => {
    const text = declare({
      'orders.list': {
        description: 'Lists orders.',
        inputSchema: {
          type: 'object',
          properties: {
            status: { enum: ['open', 'closed'], description: 'Only these' },
            limit: { type: 'integer', default: 30, minimum: 1, maximum: 100 },
            range: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
            tags: { type: 'array', items: { type: ['string', 'null'] } },
          },
          required: ['status'],
        },
        outputSchema: { type: 'array', items: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] } },
      },
    });
    expect(text.split('\n')).toEqual([
      'interface CodeModeTools {',
      '  /** Lists orders. */',
      '  "orders.list": (input: {',
      '    /** Only these */',
      '    status: "open" | "closed";',
      '    /** (integer; ≥ 1; ≤ 100; default: 30) */',
      '    limit?: number;',
      '    range?: [number, number];',
      '    tags?: (string | null)[];',
      '  }) => Promise<{ id: number }[]>;',
      '  orders_list: CodeModeTools["orders.list"];',
      '  orders: { list: CodeModeTools["orders.list"] };',
      '}',
      'declare const tools: CodeModeTools;',
      '',
    ]);
    expect(
      compile(text, 'const x = await tools.orders.list({ status: "open" }); const n: number = x[0]!.id; export { n };'),
    ).toEqual([]);
    expect(compile(text, 'await tools.orders_list({ status: "shut" }); export {};')).toHaveLength(1);
  });

  it.each([
    ['nullable', { properties: { a: { type: 'string', nullable: true } } }, [{ a: null }, { a: 'x' }], [{ a: 1 }]],
    ['fields of one type', { additionalProperties: { type: 'number' } }, [{ x: 1 }, {}], [{ x: 'y' }]],
    [
      'fields beside others',
      { properties: { a: { type: 'number' } }, additionalProperties: { type: 'string' } },
      [{ a: 1, b: 'x' }],
      [{ a: 'x' }],
    ],
    ['no field at all', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
    ['required without a property', { required: ['a'] }, [{ a: 1 }], [{}]],
    [
      'required in alternatives',
      { properties: { a: { type: 'number' }, b: { type: 'number' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      [{ a: 1 }, { b: 1 }],
      [{}],
    ],
    [
      'constants of any kind',
      { properties: { a: { const: { k: [1, 'x'] } }, b: { const: null } } },
      [{ a: { k: [1, 'x'] }, b: null }],
      [{ a: { k: [2] } }],
    ],
    [
      'open tuples',
      { properties: { a: { items: [{ type: 'string' }], additionalItems: { type: 'number' } } } },
      [{ a: ['x', 1, 2] }, { a: [] }],
      [{ a: [1] }],
    ],
    [
      'a reference with a word beside it',
      { properties: { a: { $ref: '#/$defs/D', description: 'why' } }, $defs: { D: { enum: [1, 2] } } },
      [{ a: 1 }],
      [{ a: 3 }],
    ],
    [
      'two types that need each other',
      {
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: {
          A: { properties: { b: { $ref: '#/$defs/B' } }, additionalProperties: false },
          B: { properties: { a: { $ref: '#/$defs/A' } } },
        },
      },
      [{ a: { b: { a: {} } } }],
      [{ a: { b: 1 } }],
    ],
    ['never', { properties: { a: false } }, [{}], [{ a: 1 }]],
    ['anything', true, [{ a: 1 }, 5, 'x'], []],
  ] as const)('understand %s', (_what, schema, good, bad) => {
    const text = declare({ t: { inputSchema: schema as unknown as Tool['inputSchema'] } });
    expect(compile(text)).toEqual([]);
    checkFit(text, 't', good, true);
    checkFit(text, 't', bad, false);
  });

  it('stay code, whatever names and texts say', () => {
    const evil = '*/ declare const hacked: 1; /* @deprecated \u2028 `${x}` "';
    const text = declare({
      [evil]: {
        description: evil,
        inputSchema: { properties: { [evil]: { description: evil, enum: [evil], default: evil, pattern: '[*]/' } }, $defs: {} },
      },
      constructor: {},
      __proto__: {},
    });
    expect(compile(text)).toEqual([]);
    expect(compile(text, 'hacked; export {};')).toHaveLength(1);
  });

  it('name types of tools apart', () => {
    const schema = { $ref: '#/$defs/Node', $defs: { Node: { properties: { next: { $ref: '#/$defs/Node' } } } } };
    expect(
      compile(
        declare({ get_user: { inputSchema: schema }, getUser: { inputSchema: schema }, 'get.user': { inputSchema: schema } }),
      ),
    ).toEqual([]);
  });

  it('bound the size of absurd schemas', () => {
    const wide = (depth: number): Record<string, unknown> =>
      depth === 0
        ? { type: 'string' }
        : { type: 'object', properties: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, wide(depth - 1)])) };
    const text = declare({ wide: { inputSchema: wide(4) } });
    expect(text.length).toBeLessThan(400_000);
    expect(compile(text)).toEqual([]);
  });

  it.each(catalogFiles())('compile for every tool of %s', { timeout: 60_000 }, (file) => {
    const catalog = createCatalog(readTools(file).filter(({ name }) => name !== 'spotify.start-a-users-playback'));
    expect(compile(catalog.declarations())).toEqual([]);
    for (const entry of catalog.entries) expect(catalog.signature(entry).length).toBeLessThan(30_000);
  });
});

describe('signatures', () => {
  it('are what a program writes, after the types it needs', () => {
    const catalog = createCatalog([
      { name: 'orders.get', inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }, execute },
      {
        name: 'save_tree',
        inputSchema: {
          $ref: '#/$defs/Node',
          $defs: { Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } } },
        },
        execute,
      },
      { name: 'ping', execute },
    ]);
    expect(catalog.entries.map((entry) => catalog.signature(entry))).toEqual([
      'tools.orders.get(input: { id: number }): Promise<unknown>',
      'type SaveTreeNode = { kids?: SaveTreeNode[] };\ntools.save_tree(input: SaveTreeNode): Promise<unknown>',
      'tools.ping(input?: { [key: string]: unknown }): Promise<unknown>',
    ]);
  });
});
