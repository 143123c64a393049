/** What a session's program keeps of its tools means the same tool later, or none. */
import { afterAll, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { createCodeMode } from './create-code-mode.ts';

vi.setConfig({ testTimeout: 60_000 });
const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const named = (name: string): Tool => ({ name, risk: 'read', execute: () => name });

it('a kept callable calls the tool of its name, wherever it stands in a later catalogue, and never another one', async () => {
  await using codeMode = createCodeMode({ executor, state: 'session', tools: [named('list'), named('refund')] });
  const session = codeMode.session();
  const first = await session.run(`globalThis.kept = tools.list; const own = tools; globalThis.table = own; return kept()`)
    .outcome;
  expect(first).toMatchObject({ status: 'completed', value: 'list' });
  codeMode.update({ tools: [named('wipe'), named('refund'), named('list')] });
  expect(await session.run('return [await kept(), await table.list(), await table.refund()]').outcome).toMatchObject({
    value: ['list', 'list', 'refund'],
  });
  codeMode.update({ tools: [named('wipe')] });
  expect(await session.run('return kept()').outcome).toMatchObject({
    status: 'failed',
    error: { code: 'tool_not_found' },
    calls: [{ tool: 'list' }],
  });
});

it('a program that put its own `tools` there for good is found out by the next one, and a restart helps', async () => {
  await using codeMode = createCodeMode({ executor, state: 'session', tools: [named('list')] });
  const session = codeMode.session();
  const fake = `Object.defineProperty(globalThis, 'tools', { value: { list: () => 'fake' } }); return 1`;
  await session.run(`delete globalThis.tools; ${fake}`).outcome;
  expect(await session.run('return tools.list()').outcome).toMatchObject({
    status: 'failed',
    error: { code: 'program_error', message: expect.stringContaining('restart: true') },
  });
  expect(await session.run('return tools.list()', { restart: true }).outcome).toMatchObject({ value: 'list' });
});

it('globals that a program froze do not keep the next program of the session from running', async () => {
  await using codeMode = createCodeMode({ executor, state: 'session', tools: [named('list')] });
  const session = codeMode.session();
  expect(await session.run('await tool_list(); Object.freeze(globalThis); return 1').outcome).toMatchObject({ value: 1 });
  expect(await session.run('return tool_list()').outcome).toMatchObject({ status: 'completed', value: 'list' });
});
