import { beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

describe('a program', () => {
  test('gives the value of its last expression', async () => {
    expect((await drive(sandbox, '1 + 1')).reply).toMatchObject({
      status: 'completed',
      value: '2',
      warnings: [],
      notAwaited: [],
    });
  });

  test('reaches tools by identifier, original name, namespace and alias', async () => {
    const handlers = {
      a: (input: { n: number }) => input.n,
      'b c': (input: { n: number }) => input.n,
      's.t': (input: unknown) => input,
    };
    const source = `const r = await Promise.all([tools.a({ n: 1 }), tools['b c']({ n: 2 }), tool_a({ n: 3 }), tools.s.t()]);
console.log('hello', r.length);
return r`;
    const { value, lines, calls } = await drive(sandbox, source, handlers);
    expect(value).toEqual([1, 2, 3, {}]);
    expect(lines).toEqual(['hello 4']);
    expect(calls.map((call) => [call.id, call.tool, call.input, call.site])).toEqual([
      [1, 'a', '{"n":1}', { line: 1, column: 37 }],
      [2, 'b c', '{"n":2}', { line: 1, column: 61 }],
      [3, 'a', '{"n":3}', { line: 1, column: 79 }],
      [4, 's.t', '{}', { line: 1, column: 100 }],
    ]);
  });
});
