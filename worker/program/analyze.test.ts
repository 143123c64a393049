import { describe, expect, it, vi } from 'vitest';
import type { NameTable } from '../../src/protocol/wire.ts';
import { analyze } from './analyze.ts';

vi.setConfig({ testTimeout: 30_000 });

const NAMES: NameTable = {
  version: '1',
  names: ['orders.get', 'send mail', 'echo', 'github:issues.list'],
  identifiers: { orders_get: 0, send_mail: 1, echo: 2, github_issues_list: 3 },
  namespaces: { orders: { get: 0 }, github: { issues_list: 3 } },
  singleFields: {},
};

const seen = (source: string): unknown[] =>
  analyze(source, NAMES).references.map(({ tool, known, literalInput, unconditional, site }) => [
    tool,
    known,
    literalInput,
    unconditional,
    `${site.line}:${site.column}`,
  ]);

describe('analyze', () => {
  it('finds a tool under every name it has, with its literal input', () => {
    expect(seen('await tools.orders_get({ id: 7, tags: ["a", `b`], deep: { n: -1, no: !0 } })')).toEqual([
      ['orders.get', true, '{"id":7,"tags":["a","b"],"deep":{"n":-1,"no":true}}', true, '1:7'],
    ]);
    expect(
      seen(
        "await tools['send mail']({ to: 'x' });\ntool_echo({});\nexternal_echo();\ncodemode.echo(1); tools.orders.get({ id: undefined })",
      ),
    ).toEqual([
      ['send mail', true, '{"to":"x"}', true, '1:7'],
      ['echo', true, '{}', true, '2:1'],
      ['echo', true, '{"$t":"undefined"}', true, '3:1'],
      ['echo', true, '1', true, '4:1'],
      ['orders.get', true, '{}', true, '4:19'],
    ]);
  });

  it('reads codemode.invoke entry by entry', () => {
    expect(
      seen(
        "await codemode.invoke([{ server_name: 'github', tool_name: 'issues_list', intent: 'look', tool_params: { n: 1 } }, { tool_name: 'echo', tool_params: x }])",
      ),
    ).toEqual([
      ['github:issues.list', true, '{"n":1}', true, expect.any(String)],
      ['echo', true, undefined, true, expect.any(String)],
    ]);
    expect(analyze('codemode.invoke(list)', NAMES).computedName).toBe(true);
  });

  it('says when a name is unknown or only known at run time', () => {
    expect(seen('tools.orderz_get({})')).toEqual([['orderz_get', false, '{}', true, '1:1']]);
    expect(seen('tool_nope({}); tools.orders.gett({})')).toEqual([
      ['nope', false, '{}', true, '1:1'],
      ['orders.gett', false, '{}', true, '1:16'],
    ]);
    for (const source of [
      'tools[name]({})',
      'run(tools)',
      'const { a, ...rest } = tools',
      'tools.github[x]({})',
      'const t = tools;',
      'Object.keys(codemode)',
    ]) {
      expect(analyze(source, NAMES).computedName, source).toBe(true);
    }
    expect(analyze('tools.echo({}); codemode.search("x"); codemode.emit(1)', NAMES).computedName).toBe(false);
  });

  it('calls only what is certain to run unconditional', () => {
    const certain = (source: string): unknown[] => analyze(source, NAMES).references.map((each) => each.unconditional);
    expect(certain('await tools.echo({})')).toEqual([true]);
    expect(certain('const r = [await tools.echo({ a: await tools.echo({}) })]')).toEqual([true, true]);
    for (const source of [
      'if (x) await tools.echo({})',
      'x && tools.echo({})',
      'x ? tools.echo({}) : 1',
      'for (const a of b) tools.echo({})',
      'while (x) { tools.echo({}) }',
      'try { await tools.echo({}) } catch {}',
      'const f = () => tools.echo({})',
      'async function main() { await tools.echo({}) }',
      'tools.echo?.({})',
      'const f = tools.echo;',
      'if (x) return 1;\nawait tools.echo({})',
      'class A { x = tools.echo({}) }',
    ]) {
      expect(certain(source), source).toEqual([false]);
    }
  });

  it('calls nothing unconditional whose failure something may catch', () => {
    const certain = (source: string): unknown[] => analyze(source, NAMES).references.map((each) => each.unconditional);
    for (const source of [
      'const r = await tools.echo({})',
      'console.log((await tools.echo({})).a)',
      'await Promise.all([tools.echo({})])',
      'return { a: tools.echo({}) }',
      'tools.echo({}).then((r) => r)',
      'async () => { await tools.echo({}) }',
      'export default async () => tools.echo({})',
      '(async () => { return await tools.echo({}) })()',
      'const { a } = await (async () => { const b = await tools.echo({}); return b })()',
    ]) {
      expect(certain(source), source).toEqual([true]);
    }
    for (const source of [
      'const p = tools.echo({}); await p',
      'p = tools.echo({})',
      'list.push(tools.echo({}))',
      'await Promise.allSettled([tools.echo({})])',
      'await settle(tools.echo({}))',
      'await tools.echo({}).catch(() => 1)',
      'tools.echo({}).then((r) => r, () => 1)',
      'await tools.echo({}).then((r) => r).catch(() => 1)',
      'const p = (async () => { await tools.echo({}) })()',
      '(async () => { await tools.echo({}) })().catch(() => 1)',
      'throw new Error(); await tools.echo({})',
      'async () => { if (x) return 1; await tools.echo({}) }',
      'function* f() { tools.echo({}) }',
      'const a = 1; (() => tools.echo({}));',
    ]) {
      expect(certain(source), source).toEqual([false]);
    }
    expect(certain('(async () => { return 1 })(); await tools.echo({})')).toEqual([true]);
  });

  it('finds the tools of a batch as the batch does', () => {
    const batch = (step: string): unknown[] => seen(`codemode.invoke([${step}])`).map((each) => (each as unknown[]).slice(0, 3));
    expect(batch("{ server_name: 'github', tool_name: 'github:issues.list' }")).toEqual([
      ['github:issues.list', true, '{"$t":"undefined"}'],
    ]);
    expect(batch("{ server_name: 'orders', tool_name: 'get' }")).toEqual([['orders.get', true, '{"$t":"undefined"}']]);
    expect(batch("{ server_name: 'nowhere', tool_name: 'echo' }")).toEqual([['nowhere.echo', false, '{"$t":"undefined"}']]);
    expect(batch("{ server_name: 'github', tool_name: 'echo' }")).toEqual([['github.echo', false, '{"$t":"undefined"}']]);
  });

  it('leaves shadowed names and names of properties alone', () => {
    expect(seen('const tools = { echo() {} }; tools.echo({})')).toEqual([]);
    expect(seen('const tool_echo = 1; ({ tool_echo: 2 }).tool_echo')).toEqual([]);
    expect(seen('({ tool_nope: 1, tools: 2 }).tools.echo; x.tool_echo()')).toEqual([]);
    expect(analyze('async ({ tools }) => tools.echo({})', NAMES).references).toEqual([]);
  });

  it('takes destructured tools for references', () => {
    expect(seen('const { echo, orders_get: get } = tools;\nawait echo({})')).toEqual([
      ['echo', true, undefined, false, '1:9'],
      ['orders.get', true, undefined, false, '1:15'],
    ]);
  });

  it('works through TypeScript, fences and JSON, with positions in the model’s text', () => {
    expect(seen('Look:\n```ts\nconst x: number = (await tools!.echo<Foo>({ a: 1 } as Input)).n;\n```')).toEqual([
      ['echo', true, '{"a":1}', true, '3:26'],
    ]);
    expect(seen('{"code":"\\n  tools.echo({})"}')).toEqual([['echo', true, '{}', true, '1:14']]);
  });

  it('gives nothing but the error for a text that is no program', () => {
    const facts = analyze('const x = ;', NAMES);
    expect(facts).toMatchObject({
      syntaxError: { code: 'syntax_error', site: { line: 1, column: 11 } },
      references: [],
      computedName: false,
      freeIdentifiers: [],
    });
    expect(analyze('print("hi") if x else None', NAMES).syntaxError?.code).toBe('unsupported_language');
  });

  it('lists the free names', () => {
    expect(analyze('const a = await tool_echo(b.c); for (const d of a) console.log(d, this.e)', NAMES).freeIdentifiers).toEqual([
      'b',
      'console',
      'tool_echo',
    ]);
  });

  it('never encodes __proto__ of a literal as data', () => {
    expect(seen('tools.echo({ __proto__: { admin: true } })')).toEqual([['echo', true, undefined, true, '1:1']]);
  });
});
