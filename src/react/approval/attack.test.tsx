// @vitest-environment happy-dom
// What a program, a tool or a model wrote is shown as it is: no element, nothing unseen, nothing hidden, nothing in our name.
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { testGuard } from '../../testing/test-guard.ts';
import { naughtyStrings, unseenCodePoints } from '../test-tools/node-adversarial.ts';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit } from '../test-tools/test-kit.ts';
import { collapsedPaths } from '../text/collapse.ts';
import { visibleParts, visibleText } from '../text/visible-text.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

const dialog = (): HTMLElement => screen.getByRole('alertdialog');
/** What a place shows, tokens of unseen characters written like `visibleText` writes them. */
function shownIn(place: Element): string {
  const copy = place.cloneNode(true) as Element;
  for (const token of copy.querySelectorAll('.cm-invisible')) token.textContent = `[${token.textContent}]`;
  return copy.textContent ?? '';
}

/** Elements that only markup could have made. */
const STRANGE =
  'img, script, a, iframe, object, embed, style, link, b, i, marquee, audio, video, form, meta, base, math, [onerror], [onload], [style]';

function ask(text: string, input: unknown): void {
  const kit = createTestKit();
  kit.facts('t', { title: text, description: text, inputJsonSchema: {} });
  render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
  inAct(() => {
    const callId = kit.request(kit.run(`// ${text}\ncall();`, { title: text }), text === '' ? 'tool' : text, input, {
      title: `title ${text}`,
      line: 2,
      intent: text,
    });
    kit.ask(callId, { question: `Do ${text}?`, reason: `because ${text}` });
  });
}

const keyOf = (text: string): string => `k${text}`;

describe('any text, as tool name, title, input key, input value, intent, reason and program', () => {
  it.each(naughtyStrings().map((text) => [JSON.stringify(text).slice(0, 60), text] as const))(
    '%s is shown as it is',
    async (_, text) => {
      const input = { [keyOf(text)]: `v${text}` };
      ask(text, input);
      await waitFor(() => expect(dialog().querySelector('[data-part="value"]')).not.toBeNull());
      expect(shownIn(within(dialog()).getByRole('heading', { level: 2 }))).toBe(visibleText(`Do ${text}?`));
      expect(shownIn(dialog().querySelector('.cm-tool-name')!)).toBe(visibleText(text === '' ? 'tool' : text));
      expect(shownIn(dialog().querySelector('.cm-tool-title')!)).toBe(visibleText(`title ${text}`));
      expect(shownIn(dialog().querySelector('dt')!)).toBe(visibleText(keyOf(text)));
      const value = dialog().querySelector('dd .cm-string');
      const isCollapsed = collapsedPaths(input, new Set()).length > 0;
      // Secrets are masked; what is folded is opened before anything is allowed.
      if (value && !isCollapsed && !/\n[ \t]*\n[ \t]*\n[ \t]*\n/.test(text)) expect(shownIn(value)).toBe(visibleText(`v${text}`));
      // The lines around the call's, of which the first is of the comment with the text.
      const [first] = [...dialog().querySelectorAll('.cm-line-code')].map(shownIn);
      const lines = `// ${text}`.split(/\r\n?|\n/);
      expect(lines.map(visibleText)).toContain(first?.replace(/^line \d+: /, '').replace(/\n$/, ''));
      expect(dialog().querySelectorAll(STRANGE)).toHaveLength(0);
      expect(
        within(dialog())
          .getAllByRole('button')
          .filter((button) => button.dataset['action'] === 'allow'),
      ).toHaveLength(1);
    },
  );

  it('every code point that nobody sees is shown as a token, by its number', () => {
    const unseen = unseenCodePoints().filter((code) => visibleParts(`a${String.fromCodePoint(code)}b`)[1]?.name === undefined);
    expect(unseen.map((code) => code.toString(16))).toEqual([]);
  });

  it('a model’s intent and title never stand where the application asks', () => {
    const lie = 'The support team asks: press Allow, it is only a test.\n\n\n\nRead 1 order?';
    const kit = createTestKit();
    render(<ApprovalDialog session={kit.session} guard={testGuard()} />);
    inAct(() =>
      kit.ask(kit.request(kit.run('call();', { title: lie }), 'wipe', {}, { intent: lie }), { question: 'Delete all orders?' }),
    );
    for (const heading of within(dialog()).getAllByRole('heading')) expect(heading.textContent).not.toContain('support team');
    const described = document.getElementById(dialog().getAttribute('aria-describedby')!)!;
    expect(described.textContent).toBe('Delete all orders?');
    const quote = within(dialog()).getByText(/support team/);
    expect(quote.closest('blockquote')?.closest('figure')?.querySelector('figcaption')?.textContent).toBe('The assistant says');
    // Below everything the application says.
    const question = described.compareDocumentPosition(quote);
    expect(question & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it('nothing is allowed while anything is folded, however deep', async () => {
    ask('deep', { a: { b: { c: { d: { e: { f: `x${'y'.repeat(500)}` } } } } }, list: Array.from({ length: 30 }, (_, at) => at) });
    const allow = (): HTMLElement => within(dialog()).getByRole('button', { name: 'Allow once' });
    await waitFor(() => expect(dialog().querySelector('[data-cm-open]')).not.toBeNull());
    await waitFor(() => expect(dialog().getAttribute('data-ready')).toBe('true'));
    for (
      let folded = dialog().querySelector<HTMLElement>('[data-cm-open]');
      folded;
      folded = dialog().querySelector('[data-cm-open]')
    ) {
      expect(allow().getAttribute('aria-disabled')).toBe('true');
      const next = folded;
      inAct(() => next.click());
    }
    expect(allow().getAttribute('aria-disabled')).toBe('false');
    expect(dialog().textContent).toContain('y'.repeat(500));
  });
});
