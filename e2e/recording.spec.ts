/** A run that was saved to a file, looked at in another life of the page: event by event, and nothing of it happens again. */
import type { Page } from '@playwright/test';
import { type Playground, expect, test } from './playground.ts';

const PROGRAM = `const order = await tools.get_order({ orderId: 11203 });
console.log('found', order.id);
const refund = await tools.refund_order({ orderId: order.id, amount: 5, reason: 'late delivery' });
return { refunded: refund.amount };`;

interface Saved {
  readonly name: string;
  readonly text: string;
}

/** Runs the program and takes the file that the trace's export gives. */
async function exported(playground: Playground): Promise<Saved> {
  const { page } = playground;
  await playground.run(PROGRAM);
  await playground.allow();
  await expect(playground.status('Completed')).toBeVisible();
  await page.getByRole('tab', { name: /^Trace/ }).click();
  // Firefox tells nobody of a download: what is handed to it is looked at on its way.
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob: Blob) => {
      void blob.text().then((text) => (document.body.dataset.exported = text));
      return make(blob);
    };
  });
  await playground.trace.getByRole('button', { name: 'Export run as JSON' }).click();
  const text = await page.waitForFunction(() => document.body.dataset.exported);
  return { name: 'run.json', text: (await text.jsonValue()) ?? '' };
}

async function openFile(page: Page, { name, text }: Saved): Promise<void> {
  await page.getByLabel('Open a recording').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** Workers and requests of the page from here on; files of the page itself are none. */
function watch(page: Page): { readonly workers: string[]; readonly requests: string[] } {
  const seen = { workers: [] as string[], requests: [] as string[] };
  page.on('worker', (worker) => seen.workers.push(worker.url()));
  page.on('request', (request) => {
    const isOwnScript = request.resourceType() === 'script' && request.method() === 'GET' && !new URL(request.url()).search;
    if (!isOwnScript || new URL(request.url()).origin !== new URL(page.url()).origin) seen.requests.push(request.url());
  });
  return seen;
}

test('a saved run is opened, stepped through by keys, and nothing is executed or sent', async ({ playground, page }) => {
  const file = await exported(playground);
  await page.reload();
  await page.getByRole('tab', { name: /^Trace/ }).click();
  const seen = watch(page);
  await openFile(page, file);

  const recording = page.getByRole('region', { name: 'Recording' });
  await expect(recording).toContainText('A recorded run. Nothing of it is executed.');
  await expect(recording.getByRole('treeitem', { name: /^get_order, succeeded/ })).toBeVisible();
  const words = recording.locator('.cm-time-words');
  const at = async (): Promise<number> => Number(/event (\d+) of/.exec(await words.innerText())?.[1]);
  const last = Number(/of (\d+)/.exec(await words.innerText())?.[1]);
  expect(await at()).toBe(last);

  // By keys only, from wherever the focus is in the panel.
  await recording.getByRole('treeitem').first().focus();
  await page.keyboard.press('Shift+Home');
  await expect(words).toContainText('event 1 of');
  await expect(words).toContainText('run queued');
  await expect(recording.getByRole('treeitem')).toHaveCount(1);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(words).toContainText('event 1 of');
  while (!(await words.innerText()).includes('person asked')) {
    const before = await at();
    expect(before).toBeLessThan(last);
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(at).toBe(before + 1);
  }
  // As of then a call waits; nobody is asked.
  await expect(recording.getByRole('treeitem', { name: /^refund_order, waiting for you/ })).toBeVisible();
  await expect(words).toContainText('1 call waits');
  await expect(playground.dialog).toBeHidden();
  await expect(recording.getByRole('button', { name: 'Review' })).toHaveCount(0);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(recording.getByRole('treeitem', { name: /^refund_order, waiting for you/ })).toHaveCount(0);
  await page.keyboard.press('Shift+End');
  await expect.poll(at).toBe(last);
  await expect(recording.getByRole('treeitem', { name: /^refund_order, succeeded/ })).toBeVisible();

  // Without the panel's keys: the bar is a slider with words.
  const slider = recording.getByRole('slider', { name: 'Step through' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^event ${last - 1} of ${last}, `));

  expect(seen).toEqual({ workers: [], requests: [] });
  await page.getByRole('button', { name: 'Close the recording' }).click();
  await expect(page.getByText('No run to look at')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reset data' })).toHaveAttribute('title', 'Nothing has been changed yet');
});

test('a file that is broken, no recording, or of a newer version says so and changes nothing', async ({ playground, page }) => {
  const { text } = await exported(playground);
  const file = JSON.parse(text) as { events: Record<string, unknown>[] };
  const fault = page.getByRole('status').filter({ hasText: 'file.json' });
  const open = (content: string): Promise<void> => openFile(page, { name: 'file.json', text: content });

  await open(text.slice(0, text.length / 2));
  await expect(fault).toHaveText('file.json cannot be read: it is cut off, or no JSON.');
  await open('{ "orders": [] }');
  await expect(fault).toContainText('no run that was exported');
  await open(JSON.stringify({ ...file, events: file.events.map((event) => ({ ...event, v: 99 })) }));
  await expect(fault).toContainText('newer version');
  await expect(fault).toContainText('format 99');
  await open(JSON.stringify({ ...file, events: [{ v: 2 }, ...file.events] }));
  await expect(fault).toContainText('Nothing of the run in this file can be read');
  // The run of this page is still there.
  await expect(playground.trace.getByRole('treeitem', { name: /^refund_order/ })).toBeVisible();

  // What is good of a damaged one is shown, and said to be a part.
  await open(JSON.stringify({ ...file, events: [...file.events.slice(0, 6), { v: 2 }] }));
  const recording = page.getByRole('region', { name: 'Recording' });
  await expect(recording).toContainText('The file was cut off or changed');
  await expect(recording.getByRole('treeitem').first()).toBeVisible();
});
