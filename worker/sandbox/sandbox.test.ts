import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';
vi.mock('../program/normalise.ts', () => ({ normalise: (code: string) => ({ ok: true, code, form: 'statements', callCompletion: true, hasValue: true, freeIdentifiers: code.match(/\b(tool|external)_\w+/g) ?? [], warnings: [], typescript: false, toSource: (line: number, column: number) => ({ line, column }) }) }));
vi.mock('../program/analyze.ts', () => ({ analyze: () => ({}) }));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

describe('a program', () => {
  test('gives the value of its last expression', async () => {
    const r = await drive(sandbox, '1 + 1');
    expect(r.reply).toMatchObject({ status: 'completed', value: '2' });
  });
  test('calls tools', async () => {
    const r = await drive(sandbox, `const r = await Promise.all([tools.a({ n: 1 }), tools['b c']({ n: 2 }), tool_a({n:3}), tools.s.t()]); console.log('hello', r.length); r`, { a: (i) => i.n, 'b c': (i) => i.n, 's.t': (i) => i });
    expect(r.value).toEqual([1, 2, 3, {}]);
    expect(r.lines).toEqual(['hello 4']);
    console.error(JSON.stringify(r.frames), JSON.stringify(r.reply));
  });
  test('fails', async () => {
    const r = await drive(sandbox, `function f() {\n  throw new TypeError('no') }\nf()`);
    console.error(JSON.stringify(r.reply));
    const s = await drive(sandbox, `await tools.a()`, { a: () => { throw new Error('quota'); } });
    console.error(JSON.stringify(s.reply));
    console.error(JSON.stringify((await drive(sandbox, `await new Promise(() => {})`)).reply));
    console.error(JSON.stringify((await drive(sandbox, `for(;;);`, {}, { limits: { timeoutMs: 100 } as any })).reply));
    console.error(JSON.stringify((await drive(sandbox, `function f(){return f()+1}; f()`)).reply));
    console.error(JSON.stringify((await drive(sandbox, `const x=[];for(;;)x.push(new ArrayBuffer(1e6))`)).reply));
    console.error(sandbox.spent);
  });
});
