import { beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive, Refusal } from './test-tools/drive.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const echo = (input: unknown): unknown => input;
const fail = (message: string) => (): never => {
  throw new Error(message);
};

describe('the input of a call', () => {
  test('is {} for no argument and for undefined', async () => {
    const { calls } = await drive(sandbox, 'await tools.echo(); await tools.echo(undefined); await tools.echo({})', { echo });
    expect(calls.map((call) => call.input)).toEqual(['{}', '{}', '{}']);
  });

  test('loses undefined properties, keeps everything else that JSON does not know', async () => {
    const { value } = await drive(sandbox, 'tools.echo({ a: undefined, b: 1n, c: new Date(0), d: [undefined], e: NaN })', {
      echo,
    });
    expect(value).toEqual({ b: 1n, c: new Date(0), d: [undefined], e: Number.NaN });
  });

  test('a bare value is wrapped for a tool with one field, with a warning', async () => {
    const { calls, reply } = await drive(sandbox, 'await tools.find("x")', { find: echo }, { fields: { find: 'query' } });
    expect(calls[0]!.input).toBe('{"query":"x"}');
    expect(reply.warnings).toMatchObject([{ code: 'positional_argument', calls: [1], site: { line: 1 } }]);
  });

  test('a promise in it is refused before anything is sent, and says to await', async () => {
    const { reply, calls } = await drive(sandbox, 'await tools.book({ id: tools.find({}) })', { book: echo, find: echo });
    expect(reply).toMatchObject({
      status: 'failed',
      error: { code: 'serialization_error', name: 'InvalidInputError', message: expect.stringContaining('await') },
    });
    expect(calls.map((call) => call.tool)).not.toContain('book');
  });

  test('the second argument says why, as text', async () => {
    const { calls } = await drive(
      sandbox,
      'await tools.echo({}, { intent: "tidy\\0up" }); await tools.echo({}, { get intent() { throw 1 } })',
      { echo },
    );
    expect(calls.map((call) => call.intent)).toEqual(['tidy\0up', undefined]);
  });

  test('text comes back unit for unit: NUL, lone surrogates, byte order mark, $t and __proto__', async () => {
    const source = `const s = '\\uFEFFa\\0b \\uD800 \\u{1F9EA} end'; const o = JSON.parse('{"__proto__":{"x":1},"$t":"map","v":1}');
const r = await tools.echo({ s, o });
[r.s === s, Object.hasOwn(r.o, '__proto__'), r.o.$t, r.o.x, s]`;
    const { value } = await drive(sandbox, source, { echo });
    expect(value).toEqual([true, true, 'map', undefined, '\uFEFFa\0b \uD800 \u{1F9EA} end']);
  });

  test('a source with NUL and lone surrogates in its literals runs as written', async () => {
    const { value } = await drive(sandbox, "'a\0b' + '\uD800' + '\u{1F9EA}'");
    expect(value).toBe('a\0b\uD800\u{1F9EA}');
  });
});

describe('names of tools', () => {
  test('a wrong name is a call that the page can answer, with the name as written', async () => {
    const { calls, reply } = await drive(sandbox, 'await tools.nothing.at.all({ a: 1 })', {});
    expect(calls).toMatchObject([{ kind: 'tool', tool: 'nothing.at.all' }]);
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'tool_not_found', call: 1 } });
  });

  test('bare aliases lose their prefix, known or not', async () => {
    const { calls } = await drive(sandbox, 'await tool_echo(); await external_echo(); await tool_ecko().catch(() => 0)', {
      echo,
    });
    expect(calls.map((call) => call.tool)).toEqual(['echo', 'echo', 'ecko']);
  });

  test('what the language asks objects for is undefined, unless a tool has that name', async () => {
    const source = `[typeof tools.then, typeof tools.toJSON, typeof tools[Symbol.iterator], typeof tools.constructor, typeof tools.hasOwnProperty]`;
    expect((await drive(sandbox, source, {})).value).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'function']);
    expect((await drive(sandbox, 'tools["then"]({ n: 1 })', { then: echo })).value).toEqual({ n: 1 });
  });

  test('tools can be listed, asked for and shadowed', async () => {
    const source = `const before = ['a' in tools, 'zz' in tools, Object.keys(tools)];
tools.a = async () => 'mine';
[...before, await tools.a(), await codemode.a({ n: 1 })]`;
    expect((await drive(sandbox, source, { a: echo, 's.t': echo })).value).toEqual([
      true,
      false,
      ['a', 's_t', 's'],
      'mine',
      { n: 1 },
    ]);
  });

  test('codemode.search and describe ask the catalogue', async () => {
    const handlers = { search: (query: unknown) => [query], describe: (name: unknown) => ({ name }) };
    const { value, calls } = await drive(sandbox, '[await codemode.search("refund"), await codemode.describe("a b")]', handlers);
    expect(value).toEqual([['refund'], { name: 'a b' }]);
    expect(calls).toMatchObject([
      { kind: 'search', tool: '', input: '"refund"' },
      { kind: 'describe', tool: '', input: '"a b"' },
    ]);
  });

  test('a batch runs in order, by server and tool name, and ends at the first failure', async () => {
    const source = `const ok = await codemode.invoke([{ tool_name: 'a', tool_params: { n: 1 }, intent: 'why' }, { server_name: 's', tool_name: 't' }]);
const bad = await invoke_tools([{ tool_name: 'boom' }, { tool_name: 'a' }]).catch((e) => e.message);
[ok, bad]`;
    const { value, calls } = await drive(sandbox, source, { a: echo, 's.t': echo, boom: fail('no') });
    expect(value).toEqual([[{ n: 1 }, {}], 'no']);
    expect(calls.map((call) => [call.tool, call.intent])).toEqual([
      ['a', 'why'],
      ['s.t', undefined],
      ['boom', undefined],
    ]);
  });
});

describe('the place of a call', () => {
  const placesOf = async (source: string): Promise<string[]> => {
    const { calls } = await drive(sandbox, source, { echo, 'crm.find': echo });
    return calls.map(({ site }) => (site ? `${site.line}:${site.column}` : 'nowhere'));
  };

  // The first of each pair is written into the call beforehand, the second is asked of the engine: one place, one answer.
  test.each([
    ['await tools.echo({})', 'await tools.echo?.({})', '1:17', '1:19'],
    ['await tools\n  .echo({})', 'await tools\n  .echo.call(null, {})', '2:8', '2:13'],
    ["'😀'; await tools.echo({})", "'😀'; await tools.echo(...[{}])", '1:23', '1:23'],
    ['const f = () => tools.echo({});\nawait f()', 'const f = () => tools.echo(...[]);\nawait f()', '1:27', '1:27'],
    ['[1].map(() => tools.echo({}))', 'const t = tools; [1].map(() => t.echo({}))', '1:25', '1:38'],
  ])('%s', async (written, asked, writtenAt, askedAt) => {
    expect(await placesOf(written)).toEqual([writtenAt]);
    expect(await placesOf(asked)).toEqual([askedAt]);
  });

  test('of several calls in one line', async () => {
    expect(await placesOf('await tools.echo(await tools.echo({}))')).toEqual(['1:34', '1:17']);
  });

  test('a made-up one is none', async () => {
    expect(await placesOf("await tools.echo({}, undefined, '09:9')")).toEqual(['nowhere']);
    expect(await placesOf("await tools.echo({}, undefined, '0x:9')")).toEqual(['nowhere']);
    expect(await placesOf("await tools.echo({}, undefined, 'elsewhere')")).toEqual(['1:17']);
  });
});

describe('a call that fails', () => {
  test('rejects with a real error of its class, with code, data and the call site in its stack', async () => {
    const denied = (): never => {
      throw new Refusal({ code: 'tool_denied', name: 'ToolDeniedError', message: 'Not today.', data: '{"reason":"budget"}' });
    };
    const source = `try { await tools.pay({ n: 1 }) } catch (e) { return [e instanceof Error, e instanceof ToolError, e instanceof ToolDeniedError, e.name, e.code, e.message, e.tool, /program\\.js:01:22/.test(e.stack)] }`;
    const { value } = await drive(sandbox, source, { pay: denied });
    expect(value).toEqual([true, true, true, 'ToolDeniedError', 'tool_denied', 'Not today.', 'pay', true]);
  });

  test('uncaught, it fails the program with its own code, data, call and line', async () => {
    const denied = (): never => {
      throw new Refusal({ code: 'tool_denied', name: 'ToolDeniedError', message: 'Not today.', data: '{"reason":"budget"}' });
    };
    const { reply } = await drive(sandbox, 'const x = 1;\nawait tools.pay({ n: 1 })', { pay: denied });
    expect(reply).toMatchObject({
      status: 'failed',
      error: {
        code: 'tool_denied',
        name: 'ToolDeniedError',
        message: 'Not today.',
        call: 1,
        site: { line: 2 },
        data: '{"reason":"budget"}',
      },
    });
  });

  test('a program cannot forge a code', async () => {
    const source = `const e = new Error('interrupted'); e.name = 'TimeoutError'; e.code = 'timeout'; e.status = 'timeout'; throw e`;
    expect((await drive(sandbox, source)).reply).toMatchObject({
      status: 'failed',
      error: { code: 'program_error', message: 'interrupted' },
    });
  });

  test('nothing of the host is in the error', async () => {
    const source = `try { await tools.boom() } catch (e) { return [e.stack, JSON.stringify(e), String(e.cause), Object.getOwnPropertyNames(e).map((k) => String(e[k])).join()].join('|') }`;
    const { value } = await drive(sandbox, source, { boom: fail('quota') });
    expect(value).not.toMatch(/node_modules|file:|\/work|codemode|guest/);
  });

  test('a wrapped error names its cause', async () => {
    const { reply } = await drive(sandbox, `try { await tools.boom() } catch (e) { throw new Error('outer', { cause: e }) }`, {
      boom: fail('inner'),
    });
    expect(reply).toMatchObject({ error: { code: 'program_error', message: 'outer (cause: ToolError: inner)' } });
  });
});

describe('calls that nobody awaits', () => {
  test('are named, with their line, and still sent', async () => {
    const { reply, calls } = await drive(sandbox, `tools.echo({ n: 1 });\n'done'`, { echo });
    expect(calls).toHaveLength(1);
    expect(reply).toMatchObject({
      status: 'completed',
      notAwaited: [1],
      warnings: [{ code: 'not_awaited', message: expect.stringContaining('line 1'), calls: [1] }],
    });
  });

  test('also when their reply came in time', async () => {
    const { reply } = await drive(sandbox, `tools.echo({ n: 1 }); await tools.echo({ n: 2 }); 'done'`, { echo });
    expect(reply).toMatchObject({ status: 'completed', notAwaited: [1] });
  });

  test('await, then, Promise.all, race and return all count as looking', async () => {
    const source = `const a = tools.echo(); await a; await tools.echo().then((x) => x); await Promise.all([tools.echo()]);
await Promise.race([tools.echo()]); const f = async () => tools.echo(); await f(); return tools.echo();`;
    expect((await drive(sandbox, source, { echo })).reply).toMatchObject({ status: 'completed', notAwaited: [], warnings: [] });
  });

  test('work left in a forEach is named', async () => {
    const { reply } = await drive(sandbox, `[1, 2].forEach(async (n) => { await tools.echo({ n }) }); 'done'`, { echo });
    expect(reply).toMatchObject({
      notAwaited: [1, 2],
      warnings: [{ code: 'not_awaited', message: expect.stringContaining('Promise.all') }],
    });
  });

  test('a failure that nobody handled is a warning with its message', async () => {
    const { reply } = await drive(sandbox, `tools.boom(); await tools.echo(); 'done'`, { echo, boom: fail('disk full') });
    expect(reply.warnings).toMatchObject([
      { code: 'unhandled_rejection', message: expect.stringContaining('disk full'), calls: [1] },
    ]);
  });

  test('a failure in a chain nobody looked at is one, too; a caught one is none', async () => {
    const { reply } = await drive(
      sandbox,
      `tools.boom().then(() => 1); tools.boom().catch(() => 2); await tools.echo(); await null; 'done'`,
      { echo, boom: fail('disk full') },
    );
    expect(reply.warnings.filter((warning) => warning.code === 'unhandled_rejection')).toHaveLength(1);
  });

  test('it is named in the error of a program that fails otherwise', async () => {
    const { reply } = await drive(sandbox, `tools.boom(); await tools.echo(); throw new Error('mine')`, {
      echo,
      boom: fail('disk full'),
    });
    expect(reply).toMatchObject({ error: { message: expect.stringMatching(/^mine.*disk full/) } });
  });

  test('of a failed program are not sent', async () => {
    const { calls } = await drive(sandbox, `tools.echo(); throw new Error('no')`, { echo });
    expect(calls).toEqual([]);
  });
});

describe('the value', () => {
  test('promises in arrays, objects, maps and sets are awaited', async () => {
    const { value } = await drive(
      sandbox,
      `const p = (n) => tools.echo({ n }); ({ a: p(1), b: [p(2), [p(3)]], m: new Map([['k', p(4)]]), s: new Set([5]) })`,
      { echo },
    );
    expect(value).toEqual({ a: { n: 1 }, b: [{ n: 2 }, [{ n: 3 }]], m: new Map([['k', { n: 4 }]]), s: new Set([5]) });
  });

  test('what cannot cross is said at once, however often its surroundings are shared', async () => {
    for (const source of [
      'let a = { f() {} }; for (let i = 0; i < 60; i++) a = { l: a, r: a }; return a',
      'const root = { kids: [], f() {} }; for (let i = 0; i < 5; i++) root.kids.push({ parent: root, kids: [] }); return root',
    ]) {
      const { reply } = await drive(sandbox, source);
      expect(reply).toMatchObject({ error: { code: 'serialization_error', message: expect.stringMatching(/f is a function/) } });
    }
  });

  test('a list of promises is awaited; a failure in it fails the program', async () => {
    expect((await drive(sandbox, `return [1, 2].map(async (n) => (await tools.echo({ n })).n)`, { echo })).value).toEqual([1, 2]);
    expect((await drive(sandbox, `({ r: tools.boom() })`, { boom: fail('late') })).reply).toMatchObject({
      status: 'failed',
      error: { code: 'tool_error', message: 'late' },
    });
  });

  test('a function in it is an error with its path; a cycle and a BigInt are not', async () => {
    expect((await drive(sandbox, `({ a: [() => 1] })`)).reply).toMatchObject({
      error: { code: 'serialization_error', message: expect.stringContaining('$.a[0]') },
    });
    const { value } = await drive(sandbox, `const a = { name: 'root', n: 12345678901234567890n }; a.self = a; a`);
    expect(value).toMatchObject({ name: 'root', n: 12345678901234567890n });
    expect((value as { self: unknown }).self).toBe(value);
  });

  test('0, empty text, null and undefined are different', async () => {
    expect((await drive(sandbox, '[].length')).reply).toMatchObject({ value: '0' });
    expect((await drive(sandbox, 'null')).reply).toMatchObject({ value: 'null' });
    expect((await drive(sandbox, 'undefined')).reply).toMatchObject({ status: 'completed', value: undefined });
  });

  test('a thenable runs in the sandbox, getters too', async () => {
    expect((await drive(sandbox, `({ then(resolve) { resolve(7) } })`)).value).toBe(7);
    expect((await drive(sandbox, `({ get a() { throw new Error('mine') } })`)).reply).toMatchObject({
      error: { code: 'serialization_error', message: expect.stringContaining('mine') },
    });
  });
});
