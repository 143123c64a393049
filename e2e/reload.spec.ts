/** A page that is reloaded while a program runs: nothing is lost, nothing happens twice, nobody is asked twice. */
import { type Page, expect, test } from '@playwright/test';
import { serveSite } from '../scripts/site.mjs';

/** `all`: 50 reloads, otherwise six. */
const RELOADS = process.env['CRASH_POINTS'] === 'all' ? 50 : 6;

// In order: the site is built once for the file.
test.describe.configure({ mode: 'default' });

let site: Awaited<ReturnType<typeof serveSite>>;
test.beforeAll(async () => {
  site = await serveSite('e2e/reload', 'e2e-reload');
});
test.afterAll(() => site.close());

const ready = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => (globalThis as Partial<typeof globalThis>).journey?.session.store.getState().ownership), {
      intervals: [20],
    })
    .toBe('owner');
const effects = (page: Page) => page.evaluate(() => journey.effects());
const statusOf = (page: Page) => page.evaluate(() => journey.session.store.getState().runs['run-1']?.status);

async function start(page: Page, source: string): Promise<void> {
  await page.evaluate((code) => {
    sessionStorage.setItem('code', code);
    void journey.session.run(code, { id: 'run-1', title: 'Bills' });
  }, source);
}

const SOURCE = `const { n } = await tools.send({ id: 'first', n: 20 });
const { n: paid } = await tools.pay({ id: 'second', n });
return paid + 1;`;

test('CM-D19 with a durable journal: the same question is open again, and deciding it continues the program', async ({
  page,
}) => {
  await page.goto(site.url);
  await ready(page);
  await start(page, SOURCE);
  const allow = page.locator('[data-action="allow"]');
  const isOpen = async (): Promise<void> => {
    await expect(page.getByRole('alertdialog')).toContainText('Pays 20 EUR.');
    await expect(allow).toBeEnabled();
    await expect(allow).not.toHaveAttribute('aria-disabled', 'true');
  };
  // Until it can be decided: a question that has been in sight for some milliseconds only need not be stored yet.
  await isOpen();
  await page.reload();
  await isOpen();
  expect(await effects(page)).toEqual(['send first']);
  await allow.click();
  await expect.poll(() => statusOf(page)).toBe('completed');
  expect(await effects(page)).toEqual(['send first', 'pay second']);
  expect(await page.evaluate(() => journey.session.resume('run-1').outcome)).toMatchObject({ status: 'completed', value: 21 });
});

test('CM-D19 with a journal in memory: the message says interrupted, nothing ran, and another program can be started', async ({
  page,
}) => {
  await page.goto(`${site.url}?memory`);
  await start(page, SOURCE);
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.reload();
  const message = page.locator('[data-cm-run="run-1"]');
  await expect(message).toHaveAttribute('data-status', 'interrupted');
  await expect(message).toContainText('interrupted');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(await effects(page)).toEqual(['send first']);
  expect(await page.evaluate(() => journey.session.run('return 2').outcome)).toMatchObject({ status: 'completed', value: 2 });
});

test('an interrupted run is continued from its message', async ({ page }) => {
  await page.goto(site.url);
  await ready(page);
  await start(page, `await tools.send({ id: 'a', n: 1 }); await new Promise((done) => setTimeout(done, 3000)); return 'done'`);
  await expect.poll(() => effects(page)).toEqual(['send a']);
  await page.reload();
  const message = page.locator('[data-cm-run="run-1"]');
  await expect(message).toHaveAttribute('data-status', 'interrupted');
  await message.getByRole('button', { name: 'Continue' }).click();
  await expect(message).toHaveAttribute('data-status', 'completed');
  expect(await effects(page)).toEqual(['send a']);
});

const LONG = `const out = [Math.random() >= 0];
for (let i = 0; i < 5; i++) {
  const [{ n }] = await Promise.all([tools.send({ id: 's' + i, n: i }), tools.read({ id: 'r' + i, n: i })]);
  out.push((await tools.pay({ id: 'p' + i, n })).n);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
return out;`;

test(`${RELOADS} reloads at other places of a program each end as if nothing had happened`, async ({ page }) => {
  test.setTimeout(60_000 + RELOADS * 20_000);
  await page.goto(site.url);
  for (let reload = 0; reload < RELOADS; reload++) {
    await ready(page);
    await page.evaluate(() => localStorage.removeItem('ran'));
    const id = `run-${reload}`;
    // The journal says when: after so many facts of this run the page goes.
    const after = 4 + ((reload * 13) % 62);
    const gone = page.waitForEvent('framenavigated');
    await page.evaluate(
      ([source, runId, facts]) => {
        const { session } = journey;
        const { length } = session.journal.events;
        session.store.subscribe(
          ({ pending: [callId] }) => callId !== undefined && void session.decide(callId, { kind: 'allow' }),
        );
        session.journal.subscribe(() => session.journal.events.length >= length + facts && location.reload());
        void session.run(source, { id: runId });
      },
      [LONG, id, after] as const,
    );
    await gone;
    await ready(page);
    const outcome = await page.evaluate(async (runId) => {
      const { session, effects: ran } = journey;
      const decide = (): void => {
        const state = session.store.getState();
        for (const callId of state.pending) {
          const call = state.runs[runId]?.calls.find(({ id: known }) => known === callId);
          void session.readValue(call!.input).then((value) => {
            const input = value as { id: string; n: number };
            const happened = call?.approval?.doubt && ran().includes(`${call.tool} ${input.id}`);
            return session.decide(callId, happened ? { kind: 'answer', output: { n: input.n } } : { kind: 'allow' });
          });
        }
      };
      const leave = session.store.subscribe(decide);
      const run = session.store.getState().runs[runId] ? session.resume(runId) : undefined;
      decide();
      const ended = await run?.outcome;
      leave();
      return ended;
    }, id);
    expect(outcome, `after ${after} facts`).toMatchObject({ status: 'completed', value: [true, 0, 1, 2, 3, 4] });
    const ran = (await effects(page)).filter((effect) => !effect.startsWith('read'));
    expect(ran, `after ${after} facts`).toHaveLength(10);
    expect(new Set(ran).size, `after ${after} facts`).toBe(10);
    const asked = await page.evaluate(
      (runId) =>
        journey.session.journal.events.filter(
          (event) => event.runId === runId && event.type === 'approval.requested' && !event.data.doubt,
        ).length,
      id,
    );
    expect(asked, `after ${after} facts`).toBe(5);
  }
});
