import type { ToolResultPart } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createScriptedBench } from '../session/test-tools/scripted.ts';
import type { ModelResult } from '../session/model-tools.ts';
import { toAiSdkOutput } from './ai-sdk-output.ts';
import { toAnthropicToolResult } from './anthropic-answer.ts';
import { toMcpResult } from './mcp-result.ts';
import { toOpenAiMessages, toOpenAiOutput } from './openai-answers.ts';

const bench = createScriptedBench();

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0x';
const WAV = 'UklGRg==';

/** What a program that returned all of these gives the model. */
async function answered(): Promise<ModelResult> {
  const session = bench.session(
    {
      look: async () => ({
        chart: { type: 'image', data: PNG, mimeType: 'image/png' },
        bill: { type: 'file', data: PDF, mimeType: 'application/pdf', name: 'bill.pdf' },
        drawing: { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
        sound: { type: 'audio', data: WAV, mimeType: 'audio/wav' },
      }),
    },
    {},
  );
  return session.modelTools.executeCode.run({ code: 'look' });
}

const PLAIN: ModelResult = { ok: true, text: '42' };
const FAILED: ModelResult = { ok: false, text: 'tool_error: no' };

describe('an answer with pictures and files', () => {
  it('has what the tests go by', async () => {
    const { text, parts } = await answered();
    expect(text).toContain('"chart":"[image/png, 8 bytes, part 2]"');
    expect(parts?.map(({ type }) => type)).toEqual(['text', 'image', 'file', 'image', 'file']);
  });

  it('is content of the AI SDK, without what would make a request fail', async () => {
    const result = await answered();
    expectTypeOf(toAiSdkOutput).returns.toExtend<ToolResultPart['output']>();
    expect(toAiSdkOutput(result)).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: result.text },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: PDF }, filename: 'bill.pdf' },
      ],
    });
    const all = toAiSdkOutput(result, { accepts: () => true });
    expect(all.type === 'content' && all.value).toHaveLength(5);
  });

  it('is the output of a function call of the Responses API', async () => {
    const result = await answered();
    expect(toOpenAiOutput('call_1', result, { accepts: (type) => type !== 'image/svg+xml' })).toEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: result.text },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
        { type: 'input_file', filename: 'bill.pdf', file_data: `data:application/pdf;base64,${PDF}` },
      ],
    });
  });

  it('is a message of the tool and one of the user for Chat Completions, whose tool messages are text', async () => {
    const result = await answered();
    const [tool, user, ...rest] = toOpenAiMessages('call_1', result);
    expect(tool).toEqual({ role: 'tool', tool_call_id: 'call_1', content: result.text });
    expect(user).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Pictures and files of tool call call_1:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: 'file', file: { filename: 'bill.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
      ],
    });
    expect(rest).toEqual([]);
  });

  it('is a tool result with blocks for the Messages API, in the words for images that it knows', async () => {
    const result = await answered();
    expect(toAnthropicToolResult('toolu_1', result, { accepts: () => true })).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      is_error: false,
      content: [
        { type: 'text', text: result.text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF }, title: 'bill.pdf' },
      ],
    });
    const photo: ModelResult = {
      ok: true,
      text: '',
      parts: [
        { type: 'text', text: '' },
        { type: 'image', data: 'AA==', mimeType: 'image/jpg' },
      ],
    };
    expect(toAnthropicToolResult('toolu_1', photo).content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' },
    });
  });

  it('is content of MCP, which takes everything', async () => {
    const result = await answered();
    expect(toMcpResult(result)).toEqual({
      isError: false,
      content: [
        { type: 'text', text: result.text },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'attachment:bill.pdf', mimeType: 'application/pdf', blob: PDF } },
        { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
        { type: 'audio', data: WAV, mimeType: 'audio/wav' },
      ],
    });
  });
});

describe('an answer of text', () => {
  it('is text everywhere, and an error where there is a word for it', () => {
    expect([PLAIN, FAILED].map((result) => toAiSdkOutput(result))).toEqual([
      { type: 'text', value: '42' },
      { type: 'error-text', value: 'tool_error: no' },
    ]);
    expect(toOpenAiOutput('c', PLAIN).output).toBe('42');
    expect(toOpenAiMessages('c', FAILED)).toEqual([{ role: 'tool', tool_call_id: 'c', content: 'tool_error: no' }]);
    expect(toAnthropicToolResult('t', FAILED)).toMatchObject({ is_error: true, content: 'tool_error: no' });
    expect(toMcpResult(FAILED)).toEqual({ isError: true, content: [{ type: 'text', text: 'tool_error: no' }] });
  });
});

describe('a part that could make every later request fail', () => {
  const handed = async (part: object): Promise<ModelResult> =>
    bench.session({ look: async () => part }, {}).modelTools.executeCode.run({ code: 'look' });

  it('has a name of whole characters, so that it can stand in an address', async () => {
    const result = await handed({
      type: 'file',
      data: PDF,
      mimeType: 'application/pdf',
      name: `${'n'.repeat(199)}\u{1F600}.pdf`,
    });
    expect(toMcpResult(result).content[1]).toMatchObject({ resource: { uri: `attachment:${'n'.repeat(199)}%EF%BF%BD` } });
  });

  it('is base64 with its padding, or stays in the value', async () => {
    expect((await handed({ type: 'image', data: 'a', mimeType: 'image/png' })).parts).toBeUndefined();
    const { parts } = await handed({ type: 'image', data: 'aGk', mimeType: 'image/png' });
    expect(parts?.[1]).toMatchObject({ data: 'aGk=' });
  });
});
