/// <reference types="node" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explainFault } from './faults.ts';
import { connectModel } from './connect-model.ts';
import { checkModel } from './own-model.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.unstubAllGlobals();
});

/** An endpoint on this machine that answers every request with one status and body. */
async function endpoint(status: number, body: unknown, seen: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization ?? 'no key'}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function faultOf(url: string): Promise<string> {
  const model = connectModel({ url, model: 'm', key: 'k' });
  return generateText({ model, prompt: 'hello', maxRetries: 0 }).then(() => 'no fault', explainFault);
}

describe('your own model', () => {
  it('is asked at the address with the key, and its answer comes back', async () => {
    const seen: string[] = [];
    const url = await endpoint(
      200,
      { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] },
      seen,
    );
    const { text } = await generateText({ model: connectModel({ url: ` ${url} `, model: 'm', key: 'k' }), prompt: 'hello' });
    expect(text).toBe('Hi.');
    expect(seen).toEqual(['/v1/chat/completions Bearer k']);
  });

  it.each([
    [401, 'refused the key (401)'],
    [404, 'usually ends in /v1'],
    [429, 'used up its quota'],
    [500, 'failed (500)'],
    [400, 'refused the request (400)'],
  ])('explains a %i', async (status, words) => {
    expect(await faultOf(await endpoint(status, { error: { message: 'no' } }))).toContain(words);
  });

  it('explains that nobody is there', async () => {
    expect(await faultOf('http://127.0.0.1:9/v1')).toContain('127.0.0.1:9 cannot be reached');
  });

  it('explains that somebody is there who does not share the answer', async () => {
    vi.stubGlobal('location', { origin: 'https://playground.example.test' });
    vi.stubGlobal('fetch', (_input: unknown, init?: RequestInit) =>
      init?.mode === 'no-cors' ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch')),
    );
    expect(await faultOf('https://models.example.test/v1')).toContain('Allow the origin https://playground.example.test');
  });

  it.each([
    ['', 'whole address'],
    ['models.example.test', 'whole address'],
    ['http://models.example.test/v1', 'Use https'],
    ['ftp://localhost', 'must begin with'],
    ['https://models.example.test/v1/chat/completions', 'Leave out'],
  ])('does not take the address %j', (url, words) => {
    expect(checkModel({ url, model: 'm', key: '' }).url).toContain(words);
  });

  it('takes a local address without a key, and wants a model name', () => {
    expect(checkModel({ url: 'http://localhost:11434/v1', model: 'm', key: '' })).toEqual({});
    expect(checkModel({ url: 'http://127.0.0.1:8080/v1', model: ' ', key: '' })).toEqual({ model: expect.any(String) });
  });
});
