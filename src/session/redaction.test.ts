/** What the application keeps to itself is told neither to the program nor to the model, whichever way a call fails. */
import { afterAll, expect, it } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { createLimitBench, tool } from './test-tools/limit-bench.ts';

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());
const bench = createLimitBench(() => executor);

const SECRET = 'swordfish';
const spill = (): never => {
  throw new Error(`the password is ${SECRET}`);
};
const schemaOf = (validate: () => unknown) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as unknown as Tool['inputSchema'];

it('no message of a host reaches them, with `redactErrors`', { timeout: 60_000 }, async () => {
  const tools = [
    tool('handler', spill),
    tool('rejected', () => Promise.reject(new Error(SECRET))),
    tool('noError', () => Promise.reject({ message: SECRET, headers: { cookie: SECRET } })),
    tool('getter', () => ({ rows: [Object.defineProperty({}, 'lazy', { enumerable: true, get: spill })] })),
    tool('proxy', () => new Proxy({}, { ownKeys: spill })),
    tool('thenable', () => Object.defineProperty({}, 'then', { get: spill })),
    tool('input', () => 1, { inputSchema: schemaOf(spill) }),
    tool('output', () => 1, { outputSchema: schemaOf(spill) }),
    tool('callback', () => 1),
    tool('predicate', () => 1),
  ];
  const session = bench.session({
    tools,
    redactErrors: true,
    maxRetries: 100,
    policy: [{ match: 'predicate', when: spill, effect: 'allow' }],
    onToolCall: (call) => (call.tool.name === 'callback' ? spill() : undefined),
  });
  // Caught and told, not caught, and not looked at.
  for (const { name } of tools)
    for (const code of [
      `try { await tools.${name}(input); } catch (error) { console.log(JSON.stringify(error), error.message, error.stack); } throw 1`,
      `return tools.${name}(input)`,
      `tools.${name}(input); return 1`,
    ]) {
      const { text, outcome } = await session.modelTools.executeCode.run({ code: `const input = {};\n${code}` });
      expect(outcome?.calls, code).toMatchObject([{ tool: name }]);
      expect(text + JSON.stringify(outcome), code).not.toContain(SECRET);
    }
  // A person who looks at the trace sees why.
  const judged = session.journal.events.filter(({ type }) => type === 'policy.evaluated');
  expect(JSON.stringify(judged)).toContain(SECRET);
});
