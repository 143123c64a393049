/** Two tabs of one browser with one session: a real process each, so that a tab can really be gone. */
import { type Page, expect, test } from '@playwright/test';
import { serveSite } from '../scripts/site.mjs';

// In order: the site is built once for the file.
test.describe.configure({ mode: 'default' });

let site: Awaited<ReturnType<typeof serveSite>>;
test.beforeAll(async () => {
  site = await serveSite('e2e/tabs', 'e2e-tabs');
});
test.afterAll(() => site.close());

const ownership = (page: Page): Promise<string> => page.evaluate(() => session.store.getState().ownership);
const pending = (page: Page): Promise<readonly string[]> => page.evaluate(() => session.store.getState().pending);
const status = (page: Page, id: string): Promise<string | undefined> =>
  page.evaluate((run) => session.store.getState().runs[run]?.status, id);

for (const [kind, query] of [
  ['Web Locks', ''],
  ['a lease', '?lease'],
] as const) {
  test(`two tabs, ${kind}: one runs, the other one follows, decides and takes over`, async ({ context }) => {
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(site.url + query);
    await expect.poll(() => ownership(first)).toBe('owner');
    await second.goto(site.url + query);
    await expect.poll(() => ownership(second)).toBe('viewer');

    await first.evaluate(() => void session.run('return tools.pay({ amount: 5 })', { id: 'run-1' }));
    await expect.poll(() => pending(second)).toEqual(['run-1:1']);
    expect(await second.evaluate(() => session.decide('run-1:1', { kind: 'allow' }))).toEqual({ applied: true });
    await expect.poll(() => status(second, 'run-1')).toBe('completed');
    expect(await second.evaluate(() => localStorage.getItem('ran'))).toBe('[{"amount":5}]');

    const refused = await second.evaluate(() => session.run('return 2', { id: 'run-2' }).outcome);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'not_owner' } });

    await first.close();
    await expect.poll(() => ownership(second)).toBe('owner');
    const outcome = await second.evaluate(() => session.run('return 2', { id: 'run-2' }).outcome);
    expect(outcome).toMatchObject({ status: 'completed', value: 2 });

    await second.reload();
    await expect.poll(() => ownership(second)).toBe('owner');
    expect(await second.evaluate(() => session.store.getState().runOrder)).toEqual(['run-1', 'run-2']);
  });
}
