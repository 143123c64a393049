import { describe, expect, it } from 'vitest';
import { changedOptions } from './changed-options.ts';

const execute = (): void => {};
const tool = () => ({ name: 'a', execute });

describe('changedOptions', () => {
  it('finds nothing in options that were built anew from the same parts', () => {
    expect(
      changedOptions({ tools: [tool()], limits: { timeoutMs: 1 } }, { tools: [tool()], limits: { timeoutMs: 1 } }),
    ).toBeUndefined();
    expect(changedOptions({ tools: { a: { execute } } }, { tools: { a: { execute } } })).toBeUndefined();
  });

  it('gives exactly the options that differ', () => {
    const next = { tools: [{ ...tool(), execute: () => {} }], limits: { timeoutMs: 1 } };
    expect(changedOptions({ tools: [tool()], limits: { timeoutMs: 1 } }, next)).toEqual({ tools: next.tools });
    expect(changedOptions({ tools: [] }, { tools: [], maxRetries: 2 })).toEqual({ maxRetries: 2 });
    expect(changedOptions({ tools: [], maxRetries: 2 }, { tools: [] })).toEqual({ maxRetries: undefined });
  });

  it('sees a tool that came or went', () => {
    expect(changedOptions({ tools: [] }, { tools: [tool()] })).toHaveProperty('tools');
    expect(changedOptions({ tools: { a: tool(), b: tool() } }, { tools: { a: tool(), c: tool() } })).toHaveProperty('tools');
  });

  it('compares class instances by identity', () => {
    const [a, b] = [new Map(), new Map()] as never[];
    expect(changedOptions({ tools: [], executor: a }, { tools: [], executor: b })).toHaveProperty('executor');
  });
});
