import { createCodeMode } from 'react-code-mode/core';
import { createNodeExecutor } from 'react-code-mode/node';

const executor = createNodeExecutor();
const codeMode = createCodeMode({
  executor,
  tools: [{ name: 'double', risk: 'read', execute: ({ n }) => n * 2 }],
});
const outcome = await codeMode.session().run('return (await tools.double({ n: 21 }))').outcome;
console.log(JSON.stringify({ status: outcome.status, value: outcome.value }));
await codeMode[Symbol.asyncDispose]();
await executor[Symbol.asyncDispose]();
