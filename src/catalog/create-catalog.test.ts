import fc from 'fast-check';
import * as valibot from 'valibot';
import { describe, expect, it } from 'vitest';
import * as zod from 'zod';
import * as zod3 from 'zod3';
import { InvalidOptionsError } from '../errors.ts';
import type { Validation } from './catalog.ts';
import { createCatalog } from './create-catalog.ts';
import { loadCatalogRuntime } from './load-catalog-runtime.ts';
import { resolveTools } from './sources.ts';
import { catalogFiles, readTools } from './test-tools/node-shared-data.ts';
import type { Trust } from './risk.ts';
import type { Tool } from './tool.ts';

// As in a run, where it is loaded before anything is judged.
await loadCatalogRuntime();

const execute = (input: unknown) => input;
const tool = (over: Record<string, unknown> = {}): Tool => ({ name: 't', execute, ...over }) as Tool;
const only = (inputSchema: unknown) => {
  const [entry] = createCatalog([tool({ inputSchema })]).entries;
  if (!entry) throw new Error('no entry');
  return entry;
};
const refusal = (tools: unknown[]): InvalidOptionsError => {
  try {
    createCatalog(tools as Tool[]);
  } catch (error) {
    return error as InvalidOptionsError;
  }
  throw new Error('accepted');
};
const messages = (validation: Validation) => (validation.ok ? [] : validation.issues.map((issue) => issue.message));

describe('a tool that was looked at before', () => {
  const asked = (): { readonly schema: object; count: () => number } => {
    let count = 0;
    const schema = {
      type: 'object',
      get properties() {
        return ((count += 1), { a: { type: 'string' } });
      },
    };
    return { schema, count: () => count };
  };
  const entry = (tools: Parameters<typeof resolveTools>[0], trust?: Trust) =>
    createCatalog(resolveTools(tools, undefined) as readonly Tool[], { ...(trust && { trust }) }).entries[0]!;

  it('is known again in another list, and by its key in an object of tools', () => {
    const { schema, count } = asked();
    const first = tool({ inputSchema: schema });
    const hash = entry([first]).definitionHash;
    const looks = count();
    expect(entry([first]).definitionHash).toBe(hash);
    expect(count()).toBe(looks);
    const nameless = { execute, inputSchema: schema };
    entry({ t: nameless } as never);
    const before = count();
    expect(entry({ t: nameless } as never).definitionHash).toBe(hash);
    expect(count()).toBe(before);
    expect(entry({ other: nameless } as never)).toMatchObject({ name: 'other' });
  });

  it('is another one when a field of it has changed, or who is trusted', () => {
    const changing = { name: 't', execute, description: 'reads', risk: 'read' } as { -readonly [K in keyof Tool]: Tool[K] };
    const before = entry([changing as Tool]);
    changing.risk = 'danger';
    expect(entry([changing as Tool])).toMatchObject({ risk: 'danger' });
    changing.description = 'deletes';
    const after = entry([changing as Tool]);
    expect(after.description).toBe('deletes');
    expect(after.definitionHash).not.toBe(before.definitionHash);
    delete changing.risk;
    expect(entry([changing as Tool]).risk).toBe('write');
    const annotations = { destructiveHint: false };
    changing.annotations = annotations;
    entry([changing as Tool]);
    annotations.destructiveHint = true;
    expect(entry([changing as Tool]).risk).toBe('danger');
    let trusted = false;
    const trust = () => trusted;
    const foreign = tool({ origin: { kind: 'mcp', server: 's' }, annotations: { readOnlyHint: true } });
    expect(entry([foreign], trust).risk).toBe('write');
    trusted = true;
    expect(entry([foreign], trust).risk).toBe('read');
  });
});

describe('refused tool sets', () => {
  it.each([
    ['two tools of one name', [tool({ name: 'a' }), tool({ name: 'a' })], 'a', '/1/name'],
    ['no name', [tool({ name: '' })], '#0', '/0/name'],
    ['a name of 257 characters', [tool({ name: 'x'.repeat(257) })], `${'x'.repeat(40)}…`, '/0/name'],
    ['no execute', [{ name: 'a' }], 'a', '/execute'],
    ['no object', [null], '#0', '/0'],
    ['a schema by another name', [tool({ parameters: { type: 'object' } })], 't', '/parameters'],
    ['an approval field that is not ours', [tool({ requireApproval: true })], 't', '/requireApproval'],
    ['an approval field behind a prototype', [Object.create(tool({ needs_approval: () => true }))], 't', '/needs_approval'],
    ['an object of schemas', [tool({ inputSchema: { a: zod.string() } })], 't', '/inputSchema/a'],
    ['a schema that is a text', [tool({ inputSchema: '{}' })], 't', '/inputSchema'],
    ['a schema that is null', [tool({ inputSchema: null })], 't', '/inputSchema'],
    [
      'a reference that points nowhere',
      [tool({ inputSchema: { properties: { a: { $ref: '#/$defs/X' } } } })],
      't',
      '/inputSchema/properties/a/$ref',
    ],
    [
      'a reference to another document',
      [tool({ inputSchema: { $ref: 'https://example.test/s.json' } })],
      't',
      '/inputSchema/$ref',
    ],
    [
      'an endless reference',
      [tool({ inputSchema: { $ref: '#/$defs/A', $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } } } })],
      't',
      '/inputSchema/$defs/A',
    ],
    [
      'an unknown type',
      [tool({ inputSchema: { properties: { 'a/b': { type: 'strnig' } } } })],
      't',
      '/inputSchema/properties/a~1b/type',
    ],
    [
      'an invalid pattern',
      [tool({ inputSchema: { properties: { a: { pattern: '(' } } } })],
      't',
      '/inputSchema/properties/a/pattern',
    ],
    [
      'an invalid name pattern',
      [tool({ inputSchema: { patternProperties: { '[': {} } } })],
      't',
      '/inputSchema/patternProperties/[',
    ],
    ['properties that are a list', [tool({ inputSchema: { properties: [] } })], 't', '/inputSchema/properties'],
    [
      'a limit that is a text',
      [tool({ inputSchema: { properties: { a: { minimum: 'one' } } } })],
      't',
      '/inputSchema/properties/a/minimum',
    ],
    ['an empty anyOf', [tool({ outputSchema: { anyOf: [] } })], 't', '/outputSchema/anyOf'],
    ['required that is a text', [tool({ inputSchema: { required: 'a' } })], 't', '/inputSchema/required'],
    ['an unknown risk', [tool({ risk: 'high' })], 't', '/risk'],
    ['a revert that is no function', [tool({ revert: 'undo' as never })], 't', '/revert'],
    ['a hint that is a text', [tool({ annotations: { readOnlyHint: 'yes' } })], 't', '/annotations/readOnlyHint'],
    ['an unknown origin', [tool({ origin: { kind: 'web' } })], 't', '/origin/kind'],
    [
      'nesting of 600 levels',
      [tool({ inputSchema: Array.from({ length: 600 }).reduce((s) => ({ items: s }), {}) })],
      't',
      '/inputSchema',
    ],
  ])('refuses %s and says which tool and where', (_what, tools, name, path) => {
    const error = refusal(tools as unknown[]);
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error.code).toBe('invalid_tool');
    expect(error.data).toEqual({ tool: name, path });
    expect(error.message).toContain(path);
  });

  it('ignores fields of other libraries', async () => {
    const { entries } = createCatalog([
      tool({
        approvalSchema: {},
        requireConfirmation: false,
        parameters: {},
        inputSchema: zod.toJSONSchema(zod.object({ a: zod.string() })),
      }),
    ]);
    expect(await entries[0]?.validateInput({ a: 1 })).toMatchObject({ ok: false });
  });

  it('accepts names of 256 characters', () => {
    expect(createCatalog([tool({ name: 'x'.repeat(256) })]).entries).toHaveLength(1);
  });
});

describe('odd but usable schemas', () => {
  it('takes draft-04 forms, vendor words and unknown formats', () => {
    const d04 = only({
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.test/s',
      type: 'object',
      properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true } },
      required: ['n'],
    });
    expect(d04.validateInput({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
    expect(messages(d04.validateInput({ n: 0 }) as Validation)).toEqual(['n must be greater than 0']);
    const vendor = only({
      type: 'object',
      properties: { n: { type: 'integer', format: 'uint32', 'x-order': 1 }, c: { type: 'string', format: 'colour' } },
      'x-wrap-result': true,
    });
    expect(vendor.validateInput({ n: 3, c: 'red' })).toMatchObject({ ok: true });
    expect(vendor.inputJsonSchema).toMatchObject({ properties: { n: { 'x-order': 1 } }, 'x-wrap-result': true });
  });

  it('takes an object that contains itself, and checks every level of it', () => {
    const schema: Record<string, unknown> = { type: 'object', properties: { n: { type: 'number' } } };
    (schema.properties as Record<string, unknown>).child = schema;
    const entry = only(schema);
    expect(JSON.stringify(entry.inputJsonSchema)).toBe(
      '{"type":"object","properties":{"n":{"type":"number"},"child":{"$ref":"#"}}}',
    );
    expect(messages(entry.validateInput({ child: { child: { n: 'x' } } }) as Validation)).toEqual([
      'child.child.n must be number, got string',
    ]);
  });

  it('takes a BigInt default, 60 levels and 5,000 members', () => {
    expect(only({ type: 'object', properties: { size: { type: 'number', default: 1n } } }).inputJsonSchema).toEqual({
      type: 'object',
      properties: { size: { type: 'number', default: 1 } },
    });
    expect(
      only(
        Array.from({ length: 60 }).reduce((next) => ({ type: 'object', properties: { next } }), { type: 'string' }),
      ).validateInput({}),
    ).toMatchObject({ ok: true });
    expect(
      only({ properties: { c: { enum: Array.from({ length: 5000 }, (_, i) => i) } } }).validateInput({ c: 4999 }),
    ).toMatchObject({ ok: true });
  });

  it('resolves anchors, ids, encoded pointers, dynamic and recursive references', () => {
    const entry = only({
      $id: 'https://example.test/root.json',
      properties: {
        a: { $ref: '#here' },
        b: { $ref: '#/$defs/a~1b%20c' },
        c: { $ref: 'part.json#/properties/x' },
        d: { $dynamicRef: '#node' },
      },
      $defs: {
        h: { $anchor: 'here', type: 'string' },
        'a/b c': { type: 'number' },
        p: { $id: 'part.json', properties: { x: { type: 'boolean' } } },
        n: { $dynamicAnchor: 'node', type: 'null' },
      },
    });
    expect(entry.validateInput({ a: 's', b: 1, c: true, d: null })).toMatchObject({ ok: true });
    expect(messages(entry.validateInput({ a: 1, b: 's', c: 1, d: 1 }) as Validation)).toHaveLength(4);
  });

  it('does not multiply a part that is used often', () => {
    let part: unknown = { type: 'string' };
    for (let i = 0; i < 40; i++) part = { type: 'object', properties: { a: part, b: part } };
    const entry = only(part);
    expect(JSON.stringify(entry.inputJsonSchema).length).toBeLessThan(20_000);
    expect(entry.validateInput({ a: { b: 3 } })).toMatchObject({ ok: false });
  });

  it('gives the handler {} when a call has no argument', () => {
    for (const schema of [undefined, {}, { type: 'object' }, { type: 'object', properties: {}, required: [] }]) {
      expect(only(schema).validateInput(undefined)).toEqual({ ok: true, value: {} });
    }
  });
});

describe('a tool without a schema', () => {
  it('gets whatever the program sends; the model is told that it is an object', () => {
    for (const schema of [undefined, {}]) {
      const entry = only(schema);
      expect(entry.inputJsonSchema).toEqual({ type: 'object' });
      for (const value of ['x', 5, null, { a: 1 }]) expect(entry.validateInput(value)).toEqual({ ok: true, value });
    }
    expect(only({ type: 'object' }).validateInput('x')).toMatchObject({ ok: false });
  });
});

describe('schemas of libraries', () => {
  it('hands the library’s output to the handler and its JSON Schema to the model', async () => {
    const entry = only(zod.object({ city: zod.string().trim().describe('Where'), days: zod.number().int().default(3) }));
    expect(await entry.validateInput({ city: ' Oslo ' })).toEqual({ ok: true, value: { city: 'Oslo', days: 3 } });
    expect(entry.inputJsonSchema).toMatchObject({
      properties: { city: { type: 'string', description: 'Where' }, days: { default: 3 } },
      required: ['city'],
    });
  });

  it.each([
    ['zod 4', zod.object({ from: zod.date(), n: zod.bigint() })],
    ['zod 3', zod3.object({ from: zod3.date(), n: zod3.bigint() })],
    ['valibot', valibot.object({ from: valibot.date(), n: valibot.bigint() })],
  ])('%s: takes a Date or ISO text for a date, a BigInt or a whole number for a bigint', async (_library, schema) => {
    const entry = only(schema);
    const value = { from: new Date('2024-01-01T00:00:00Z'), n: 5n };
    expect(await entry.validateInput(value)).toEqual({ ok: true, value });
    expect(await entry.validateInput({ from: '2024-01-01T00:00:00Z', n: 5 })).toEqual({ ok: true, value });
    expect(await entry.validateInput({ from: '2024-01-01', n: '5' })).toEqual({ ok: true, value });
    expect(messages(await entry.validateInput({ from: 'soon', n: 0.5 }))).toHaveLength(2);
  });

  it('keeps a tool whose library gives no JSON Schema', async () => {
    for (const schema of [valibot.object({ query: valibot.string() }), zod3.object({ query: zod3.string() })]) {
      const entry = only(schema);
      expect(entry.inputJsonSchema).toEqual({ type: 'object' });
      expect(await entry.validateInput({ query: 'x' })).toEqual({ ok: true, value: { query: 'x' } });
      expect(messages(await entry.validateInput({ query: 5 }))[0]).toMatch(/^query: /);
    }
  });

  it('does not accept what a failing validator could not judge', async () => {
    const broken = { '~standard': { version: 1, vendor: 'x', validate: () => Promise.reject(new Error('/home/secret')) } };
    const result = await only(broken).validateInput({});
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

describe('risk', () => {
  const facts = (over: Record<string, unknown>, trust?: () => boolean) => {
    const [entry] = createCatalog([tool(over)], { trust }).entries;
    return [entry?.risk, entry?.trusted];
  };

  it('takes the tool’s word, then trusted annotations, else write', () => {
    expect(facts({})).toEqual(['write', true]);
    expect(facts({ annotations: { readOnlyHint: true } })).toEqual(['read', true]);
    expect(facts({ annotations: { destructiveHint: true } })).toEqual(['danger', true]);
    expect(facts({ annotations: { readOnlyHint: true }, risk: 'danger' })).toEqual(['danger', true]);
  });

  it('lets untrusted annotations raise the risk, never lower it', () => {
    const origin = { kind: 'mcp', server: 's' };
    expect(facts({ origin, annotations: { readOnlyHint: true } })).toEqual(['write', false]);
    expect(facts({ origin, annotations: { destructiveHint: true } })).toEqual(['danger', false]);
    expect(facts({ origin, annotations: { readOnlyHint: true } }, () => true)).toEqual(['read', true]);
    expect(
      facts({ origin, annotations: { readOnlyHint: true } }, () => {
        throw new Error('no');
      }),
    ).toEqual(['write', false]);
  });
});

describe('the catalogue', () => {
  const tools = [
    tool({ name: 'orders.get' }),
    tool({ name: 'orders.cancel', risk: 'danger' }),
    tool({ name: 'send_email', risk: 'read' }),
  ];

  it('offers what the selector and the rules leave', () => {
    const names = (select: object) => createCatalog(tools, { select }).entries.map((entry) => entry.name);
    expect(names({ include: ['orders.*'] })).toEqual(['orders.get', 'orders.cancel']);
    expect(names({ exclude: ['*.cancel'], maxRisk: 'write' })).toEqual(['orders.get', 'send_email']);
    expect(names({ maxRisk: 'read' })).toEqual(['send_email']);
    expect(createCatalog(tools, { select: (one, context) => one.name === context, context: 'send_email' }).entries).toHaveLength(
      1,
    );
    expect(createCatalog(tools, { hide: (entry) => entry.risk === 'danger' }).entries).toHaveLength(2);
  });

  it('finds own names only and suggests close ones', () => {
    const catalog = createCatalog(tools);
    expect(catalog.get('constructor')).toBeUndefined();
    expect(catalog.suggest('send_emial')).toEqual(['send_email']);
    expect(catalog.suggest('getOrders')[0]).toBe('orders.get');
    expect(catalog.suggest('zzz')).toEqual([]);
  });

  it('changes its version with any definition, not with handlers or order', () => {
    const version = createCatalog(tools).version;
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    expect(createCatalog([...tools].reverse().map((one) => ({ ...one, execute: () => 1 }))).version).toBe(version);
    expect(createCatalog(tools.map((one, i) => (i === 0 ? { ...one, description: 'new' } : one))).version).not.toBe(version);
  });

  it('knows the tools that take exactly one field', () => {
    const catalog = createCatalog([
      tool({ name: 'a', inputSchema: { properties: { id: {} } } }),
      tool({ name: 'b', inputSchema: { properties: { id: {}, x: {} } } }),
    ]);
    expect(catalog.names.singleFields).toEqual({ 0: 'id' });
  });

  // `additionalProperties` of this one is a text.
  const unusable = ['spotify.start-a-users-playback'];

  it.each(catalogFiles())('takes every usable tool of %s', { timeout: 60_000 }, (file) => {
    const all = readTools(file);
    const usable = all.filter((one) => !unusable.includes(one.name));
    for (const one of all.filter(({ name }) => unusable.includes(name)))
      expect(() => createCatalog([one])).toThrow(InvalidOptionsError);
    expect(createCatalog(usable).entries).toHaveLength(usable.length);
  });
});

describe('whatever is given as a schema', () => {
  const words = fc.constantFrom(
    'type',
    'properties',
    'items',
    '$ref',
    'enum',
    'anyOf',
    'allOf',
    'required',
    '$defs',
    'pattern',
    '$id',
    'additionalProperties',
    'const',
    'minimum',
    'nullable',
    '__proto__',
    'x-a',
  );
  const junk = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        'object',
        'string',
        '#',
        '#/$defs/a',
        '#/properties',
        '',
        null,
        true,
        false,
        0,
        1n,
        Number.NaN,
        undefined,
        Symbol('s'),
        () => 1,
        new Date(0),
        new Map(),
      ),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(words, fc.constantFrom('a', 'b')), tie('node'), { maxKeys: 4 }),
    ),
  })).node;

  it('is refused with a place, or works everywhere (property)', () => {
    fc.assert(
      fc.property(junk, fc.anything({ withBigInt: true, withDate: true, withMap: true }), (schema, value) => {
        let catalog: ReturnType<typeof createCatalog>;
        try {
          catalog = createCatalog([tool({ inputSchema: schema })]);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidOptionsError);
          expect((error as InvalidOptionsError).data.path).toMatch(/^\/inputSchema/);
          return;
        }
        const [entry] = catalog.entries;
        expect(JSON.parse(JSON.stringify(entry?.inputJsonSchema))).toEqual(entry?.inputJsonSchema);
        expect(entry?.validateInput(value)).toHaveProperty('ok');
        expect(catalog.declarations()).toContain('declare const tools');
        expect(catalog.search('t').length).toBeLessThan(2);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused when reading it throws', () => {
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    expect(refusal([tool({ inputSchema: { properties: { a: trap } } })]).data).toMatchObject({ tool: 't' });
  });
});
