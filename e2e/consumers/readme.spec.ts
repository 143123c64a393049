import { expect, test } from '@playwright/test';
import { type Consumer, createConsumer, node, readmeBlock } from './consumer.ts';

const open: Consumer[] = [];

test.afterAll(() => Promise.all(open.map((app) => app.remove())));

async function consumer(...args: Parameters<typeof createConsumer>): Promise<Consumer> {
  const app = await createConsumer(...args);
  open.push(app);
  return app;
}

test('the quick start of the README type-checks, builds and runs as it stands', async ({ page }) => {
  const app = await consumer('vite-app', ['react', 'react-dom', '@types/react', '@types/react-dom', '@opentelemetry/api'], {
    'src/main.tsx': readmeBlock('tsx'),
  });
  const { text } = await app.typecheck('typescript', { module: 'esnext', moduleResolution: 'bundler' });
  expect(text).toBe('');
  const built = await app.vite(['build']);
  expect(built.code, built.text).toBe(0);
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  await page.goto(await app.serve(['preview', '--port', '0']));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  // Vite's default build rewrites light-dark(); a page that names no color-scheme must still get the skin's colours.
  await expect(page.locator('dialog[open]')).toHaveCSS('background-color', 'rgb(255, 255, 255)', { timeout: 30_000 });
  const allow = page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Allow once' });
  await expect(allow).toHaveAttribute('aria-disabled', 'false', { timeout: 30_000 });
  await allow.click({ delay: 30 });
  await expect.poll(() => said).toEqual(['info: completed']);
  await expect(page.locator('body')).toContainText('orders.refund');
});

test('the Node program of the README runs as it stands and exits by itself', async () => {
  const app = await consumer('node-app', [], { 'main.mjs': readmeBlock('js') });
  const { code, text } = await node(app.folder, ['main.mjs']);
  expect(text.trim()).toBe('completed 42');
  expect(code).toBe(0);
});
