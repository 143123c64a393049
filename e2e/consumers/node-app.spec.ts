import { expect, test } from '@playwright/test';
import { type Consumer, createConsumer, node } from './consumer.ts';

let app: Consumer;

test.beforeAll(async () => {
  app = await createConsumer('node-app', ['react', 'react-dom', '@opentelemetry/api']);
});

test.afterAll(() => app.remove());

test('plain Node runs a program with the packed package and exits by itself', async () => {
  const { code, text } = await node(app.folder, ['main.mjs']);
  expect(text.trim()).toBe('{"status":"completed","value":42}');
  expect(code).toBe(0);
});

for (const entry of [
  'react-code-mode',
  'react-code-mode/core',
  'react-code-mode/node',
  'react-code-mode/otel',
  'react-code-mode/ai-sdk',
]) {
  test(`importing ${entry} where there is no window and no Worker starts nothing`, async () => {
    const script = `await import('${entry}'); console.log(process.getActiveResourcesInfo().filter((name) => /Worker|Timeout|MessagePort/.test(name)).join());`;
    const { code, text } = await node(app.folder, ['--input-type=module', '-e', script]);
    expect(text.trim()).toBe('');
    expect(code).toBe(0);
  });
}
