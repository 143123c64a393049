/** What a person who has never seen it can read off a question at once: what happens, to whom, for how much, and whether it can be undone. */
import { ERRANDS } from './approval/errands.ts';
import { expect, test } from './approval-page.ts';

test.describe('ten errands @once @chromium', () => {
  test('each question answers without scrolling', async ({ approval, page }) => {
    test.setTimeout(90_000);
    await approval.open();
    const body = approval.dialog.locator('[data-part="body"]');
    for (const [name, { program, says, undo }] of Object.entries(ERRANDS)) {
      await approval.ask(program, name);
      await expect(body.locator('[data-part="value"]'), name).toBeVisible();
      await expect(body.locator('[data-part="consequence"]'), name).toContainText(undo);
      // Between header and footer, as the picture has it. An input's own text counts, the program's does not.
      const inSight = await body.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        let text = '';
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.parentElement?.closest('[data-part="program"], [data-part="intent"]')) continue;
          range.selectNodeContents(node);
          const box = range.getBoundingClientRect();
          if (box.height > 0 && box.top >= top && box.bottom <= bottom) text += `${node.nodeValue}\n`;
        }
        return text;
      });
      for (const words of says) expect(inSight, name).toContain(words);
      expect(await body.evaluate((element) => element.scrollTop)).toBe(0);
      await page.evaluate((id) => desk.session.decide(`${id}:1`, { kind: 'cancelRun' }), name);
      await expect.poll(() => approval.outcome(name)).toBe('cancelled');
    }
  });
});
