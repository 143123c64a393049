/** What comes back from a program: parts, cuts and kept results, through the public surface. */
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { takeParts } from './content-parts.ts';
import { createCodeMode } from './create-code-mode.ts';
import { MAX_KEPT_RESULTS } from './kept-results.ts';
import type { CodeModeOptions, Session } from './types.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const open = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open.clear();
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const tools: Tool[] = [
  { name: 'chart', execute: () => image },
  {
    name: 'scan',
    execute: () => ({ type: 'file', data: new Uint8Array([1, 2, 3, 4, 5]), mimeType: 'application/pdf', name: 'a "b".pdf' }),
  },
  {
    name: 'mcp',
    execute: () => ({
      content: [
        { type: 'text', text: 'Two "lines"' },
        image,
        { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/zip', blob: 'AAECAw==' } },
      ],
    }),
  },
  { name: 'rows', execute: ({ n }: { n: number }) => Array.from({ length: n }, (_, id) => ({ id, text: 'x'.repeat(40) })) },
];
const session = (options: Partial<CodeModeOptions> = {}): Session => {
  const codeMode = createCodeMode({ tools, executor, ...options });
  open.add(codeMode);
  return codeMode.session();
};
const execute = (s: Session, code: string) => s.modelTools.executeCode.run({ code });

describe('images and files', () => {
  it('from a tool are parts apart, with a mark where they stood', async () => {
    const { text, parts, outcome } = await execute(
      session(),
      'return { title: "Sales", chart: await tools.chart({}), scan: await tools.scan({}) }',
    );
    expect(JSON.parse(text)).toEqual({
      title: 'Sales',
      chart: '[image/png, 70 bytes, part 2]',
      scan: '[application/pdf "a \\"b\\".pdf", 5 bytes, part 3]',
    });
    expect(parts).toEqual([
      { type: 'text', text },
      image,
      { type: 'file', data: 'AQIDBAU=', mimeType: 'application/pdf', name: 'a "b".pdf' },
    ]);
    // The application and the trace have the value as it was.
    expect(outcome).toMatchObject({ value: { chart: image, scan: { data: new Uint8Array([1, 2, 3, 4, 5]) } } });
  });

  it('from the program itself, as base64 or bytes, alone or in a list with texts', async () => {
    const s = session();
    const alone = await execute(s, "return { type: 'image', data: new Uint8Array([9, 9]), mimeType: 'image/png' }");
    expect([alone.text, alone.parts?.length]).toEqual(['"[image/png, 2 bytes, part 2]"', 2]);
    const list = await execute(
      s,
      `return [{ type: 'text', text: 'Look:' }, { type: 'image', data: 'data:image/gif;base64,${PNG}' }]`,
    );
    expect(JSON.parse(list.text)).toBe('Look:\n[image/gif, 70 bytes, part 2]');
    expect(list.parts?.[1]).toMatchObject({ type: 'image', mimeType: 'image/gif', data: PNG });
  });

  it('of an MCP result that is handed on as it is', async () => {
    const { text, parts } = await execute(session(), 'return tools.mcp({})');
    expect(JSON.parse(text)).toBe(
      'Two "lines"\n[image/png, 70 bytes, part 2]\n[application/zip "file:///a.bin", 4 bytes, part 3]',
    );
    expect(parts?.map(({ type }) => type)).toEqual(['text', 'image', 'file']);
    const inside = await execute(session(), 'return { page: 1, result: await tools.mcp({}) }');
    expect(JSON.parse(inside.text)).toMatchObject({
      result: { content: [{ text: 'Two "lines"' }, '[image/png, 70 bytes, part 2]', expect.any(String)] },
    });
  });

  it('that only a person should see are emitted, and no model reads them', async () => {
    const { text, parts, outcome } = await execute(session(), 'codemode.emit(await tools.chart({})); return 1');
    expect([text, parts]).toEqual(['1\nShown to the user: 1 value.', undefined]);
    expect(outcome?.output).toEqual([expect.objectContaining({ kind: 'emit', value: image })]);
  });

  it('are as many as a model looks at', async () => {
    const { text, parts } = await execute(
      session(),
      'const c = await tools.chart({}); return Array.from({ length: 18 }, () => ({ ...c }))',
    );
    expect(parts).toHaveLength(17);
    expect(text).toContain('70 bytes, part 17]');
    expect(text.match(/not handed over: at most 16 are/g)).toHaveLength(2);
  });

  it.each([
    { type: 'image', data: 'no base64!', mimeType: 'image/png' },
    { type: 'image', data: PNG, mimeType: 'a picture' },
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'file', name: 'a' },
    { type: 'chart', data: PNG, mimeType: 'image/png' },
    { text: 'x' },
    { type: 'text', text: 'x', lang: 'en' },
    { content: 'x' },
    { content: [{ type: 'paragraph' }] },
    [],
  ])('are nothing else that looks alike: %j', (value) => {
    const taken = takeParts(value);
    expect(taken.value).toBe(value);
    expect(taken.media).toEqual([]);
  });

  it('never stay as base64 in what is left, whatever surrounds and shares them', () => {
    const leaf = fc.oneof(fc.constant(image), fc.string(), fc.integer(), fc.constant({ type: 'text', text: 't' }));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('tree'), { maxKeys: 4 }),
        fc.array(fc.tuple(fc.string(), tie('tree')), { maxLength: 3 }).map((entries) => new Map(entries)),
      ),
    }));
    const seen = (value: unknown): boolean =>
      typeof value === 'string'
        ? value.includes(PNG)
        : typeof value === 'object' &&
          value !== null &&
          (value instanceof Map ? [...value.values()] : Object.values(value)).some(seen);
    fc.assert(
      fc.property(tree, (value) => {
        expect(seen(takeParts(value).value)).toBe(false);
      }),
    );
    const loop: Record<string, unknown> = { image };
    loop['self'] = loop;
    const copy = takeParts(loop).value as Record<string, unknown>;
    expect(copy['self']).toBe(copy);
    expect(copy['image']).toBe('[image/png, 70 bytes, part 2]');
  });
});

describe('a result that is too long for the model', () => {
  it('is cut to valid JSON, says how the next program gets all of it, and it does', async () => {
    const s = session();
    await execute(s, 'return 1');
    const { text } = await execute(s, 'return { rows: await tools.rows({ n: 2000 }) }');
    expect(text.length).toBeLessThanOrEqual(20_000);
    const [json = '', note] = text.split('\n');
    expect(JSON.parse(json).rows[0]).toEqual({ id: 0, text: 'x'.repeat(40) });
    expect(note).toContain('await codemode.results.load("r2")');
    const next = await execute(s, 'const { rows } = await codemode.results.load("r2"); return [rows.length, rows[1999].id]');
    expect(next.text).toBe('[2000,1999]');
    expect(next.outcome?.calls).toEqual([]);
  });

  it('keeps what JSON lacks, and is there for programs of one session only', async () => {
    const [s, other] = [session(), session()];
    await execute(s, 'return { at: new Date(0), big: 10n, map: new Map([[1, undefined]]), bytes: new Uint8Array(50_000) }');
    const { text } = await execute(
      s,
      'const r = await codemode.results.load("r1"); return [r.at instanceof Date, typeof r.big, r.map.has(1), r.bytes.length]',
    );
    expect(text).toBe('[true,"bigint",true,50000]');
    expect((await execute(other, 'return codemode.results.load("r5")')).text).toMatch(
      /There is no result "r5"\. No result is kept yet\./,
    );
  });

  it.each([
    ['codemode.results.load("nope")', /There is no result "nope"\. Kept: r1\./],
    ['codemode.results.load("r2")', /The program r2 left no result\. Kept: r1\./],
    ['codemode.results.load("r9")', /There is no result "r9"/],
    ['codemode.results.load()', /There is no result ""/],
    ['codemode.results.load({ id: "r1" })', /takes the name of a result, like codemode\.results\.load\("r1"\)/],
  ])('is asked for wrongly: %s', async (code, message) => {
    const s = session({ onToolFailure: 'stop' });
    await execute(s, 'return 1');
    await execute(s, 'throw 1');
    const { text, outcome } = await execute(s, `return ${code}`);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_input', site: { line: 1 } } });
    expect(text).toMatch(message);
  });

  it('is one of a few: the oldest goes', async () => {
    const s = session();
    for (let i = 0; i <= MAX_KEPT_RESULTS; i++) await s.run(`return ${i}`).outcome;
    expect((await execute(s, 'return codemode.results.load("r2")')).text).toBe('1');
    expect((await execute(s, 'return codemode.results.load("r1")')).text).toContain(`only the last ${MAX_KEPT_RESULTS} are`);
  });
});
