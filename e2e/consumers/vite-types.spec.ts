/** Beside `vite-app.spec.ts`, not in it, so that compilers and browsers keep a core each. */
import { expect, test } from '@playwright/test';
import { type Consumer, createConsumer } from './consumer.ts';

let app: Consumer;

test.beforeAll(async () => {
  app = await createConsumer('vite-app', ['react', 'react-dom', '@types/react', '@types/react-dom', '@opentelemetry/api']);
});

test.afterAll(() => app.remove());

const COMPILERS: readonly (readonly [compiler: string, resolution: string])[] = [
  ['typescript59', 'bundler'],
  ['typescript', 'bundler'],
  ['typescript', 'nodenext'],
  ['typescript7', 'nodenext'],
];

for (const [compiler, resolution] of COMPILERS) {
  test(`its types hold under ${compiler} with ${resolution} resolution`, async () => {
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const { code, text } = await app.typecheck(compiler, { module, moduleResolution: resolution, skipLibCheck: false });
    expect(text).toBe('');
    expect(code).toBe(0);
  });
}
