import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ToolLoopAgent, isStepCount } from 'ai';
import { createCodeMode } from 'react-code-mode/core';
import { createNodeExecutor } from 'react-code-mode/node';
import { afterAll, expect, it, vi } from 'vitest';
import { chatTools } from './model-tools.ts';

// A real worker starts first, perhaps on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const PNG = 'iVBORw0KGgo=';
const executor = createNodeExecutor();
const codeMode = createCodeMode({
  executor,
  tools: [
    { name: 'draw', risk: 'read', execute: () => ({ type: 'image', data: PNG, mimeType: 'image/png', name: 'sales.png' }) },
  ],
});
afterAll(async () => {
  await codeMode[Symbol.asyncDispose]();
  await executor[Symbol.asyncDispose]();
});

/** Sends one program, then says that it is done. Keeps what it was shown. */
function modelOf(code: string): { model: LanguageModelV4; prompts: LanguageModelV4Prompt[] } {
  const prompts: LanguageModelV4Prompt[] = [];
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const content: LanguageModelV4Content[] =
        prompts.push(prompt) === 1
          ? [{ type: 'tool-call', toolCallId: 'c1', toolName: 'executeCode', input: JSON.stringify({ code }) }]
          : [{ type: 'text', text: 'done' }];
      const unified = prompts.length === 1 ? 'tool-calls' : 'stop';
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
    doStream: () => Promise.reject(new Error('not used')),
  };
  return { model, prompts };
}

async function shown(code: string) {
  const { model, prompts } = modelOf(code);
  await new ToolLoopAgent({ model, tools: chatTools(codeMode.session()), stopWhen: isStepCount(3) }).generate({ prompt: 'go' });
  return prompts[1]!.flatMap((message) => (message.role === 'tool' ? message.content : []));
}

it('lets the model look at the pictures of a run, through the real SDK', async () => {
  expect(await shown('const chart = await tools.draw();\nreturn { chart, note: "three months" }')).toMatchObject([
    {
      type: 'tool-result',
      toolCallId: 'c1',
      output: {
        type: 'content',
        value: [
          {
            type: 'text',
            text: expect.stringMatching(/"chart":"\[image\/png \\?"sales\.png\\?", 8 bytes, part 2\]","note":"three months"/),
          },
          { type: 'file', mediaType: 'image/png', filename: 'sales.png', data: { type: 'data', data: PNG } },
        ],
      },
    },
  ]);
});

it('gives text where there is nothing to look at, and an error as one', async () => {
  expect(await shown('return 42')).toMatchObject([{ output: { type: 'text', value: '42' } }]);
  expect(await shown('throw new Error("no")')).toMatchObject([
    { output: { type: 'error-text', value: expect.stringContaining('no') } },
  ]);
});
