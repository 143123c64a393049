import { type Page, expect, test } from '@playwright/test';
import { type Consumer, type Result, createConsumer } from './consumer.ts';

let app: Consumer;
let built: Promise<Result> | undefined;

test.beforeAll(async () => {
  app = await createConsumer('vite-app', ['react', 'react-dom', '@types/react', '@types/react-dom', '@opentelemetry/api']);
});

test.afterAll(() => app.remove());

/** Runs the application's program: one free call, one that a person allows. */
async function play(page: Page, url: string): Promise<void> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const allow = dialog.getByRole('button', { name: 'Allow once' });
  await expect(allow).toHaveAttribute('aria-disabled', 'false', { timeout: 30_000 });
  await allow.click({ delay: 30 });
  await expect(page.locator('output')).toHaveText('"ordered 72 of lamp"');
  expect(faults).toEqual([]);
}

/** Builds once. */
async function build(): Promise<void> {
  const { code, text } = await (built ??= app.vite(['build']));
  expect(code, text).toBe(0);
}

test('it builds with Vite, without configuration, and runs a program', async ({ page }) => {
  await build();
  await play(page, await app.serve(['preview', '--port', '0']));
});

/** Names of the files that a page asks for from now on, as the build called them, without their hashes. */
function watchFiles(page: Page): { taken(): string[] } {
  let names: string[] = [];
  page.on('request', (request) => names.push(new URL(request.url()).pathname));
  return {
    taken() {
      const taken = names.flatMap((name) => /\/(first-run|first-worker|worker-source|worker)-[^/]*\.js$/.exec(name)?.[1] ?? []);
      names = [];
      return [...new Set(taken)].sort();
    },
  };
}

test('nothing of the sandbox is loaded before the first run, and the fallback only where the worker file is out of reach', async ({
  page,
}) => {
  await build();
  const url = await app.serve(['preview', '--port', '0']);
  const files = watchFiles(page);
  await page.goto(url, { waitUntil: 'networkidle' });
  await expect(page.getByText('Nothing has run yet.')).toBeVisible();
  expect(files.taken()).toEqual([]);
  await play(page, url);
  expect(files.taken()).toEqual(['first-run', 'first-worker', 'worker']);

  await page.route(/\/worker-[^/]*\.js$/, (route) =>
    route.request().url().includes('worker-source')
      ? route.continue()
      : route.fulfill({ status: 200, contentType: 'text/html', body: '' }),
  );
  await play(page, url);
  expect(files.taken()).toEqual(['first-run', 'first-worker', 'worker', 'worker-source']);
});

test('it runs under a sub-path', async ({ page }) => {
  const built = await app.vite(['build', '--base', '/sub/path/', '--outDir', 'dist-sub']);
  expect(built.code, built.text).toBe(0);
  const url = await app.serve(['preview', '--base', '/sub/path/', '--outDir', 'dist-sub', '--port', '0']);
  await play(page, new URL('/sub/path/', url).href);
});

test('it runs in the development server', async ({ page }) => {
  await play(page, await app.serve(['--port', '0']));
});
