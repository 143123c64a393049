// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { readDraft, saveDraft } from '../program/draft.ts';
import { FIRST_EXAMPLE } from '../program/examples.ts';
import { SPLIT, applyPreferences, readPreferences, savePreferences } from './preferences.ts';

beforeEach(() => localStorage.clear());

describe('what the page remembers', () => {
  it('comes back after a reload', () => {
    savePreferences({ theme: 'dark', direction: 'rtl', split: 30, plan: 'ask' });
    expect(readPreferences()).toEqual({ theme: 'dark', direction: 'rtl', split: 30, plan: 'ask' });
    saveDraft({ example: 'deadlock', source: 'my own text' });
    expect(readDraft()).toEqual({ example: 'deadlock', source: 'my own text' });
  });

  it.each(['null', '7', '{"theme":"pink","direction":1,"split":"x","plan":true}', '{"split":1e9}', '{broken'])(
    'is never a foreign value such as %s',
    (text) => {
      localStorage.setItem('playground', text);
      localStorage.setItem('playground-program', text);
      const { theme, direction, split, plan } = readPreferences();
      expect([theme, direction, plan]).toEqual(['system', 'ltr', 'off']);
      expect(split).toBeGreaterThanOrEqual(SPLIT.min);
      expect(split).toBeLessThanOrEqual(SPLIT.max);
      expect(readDraft()).toEqual({ example: FIRST_EXAMPLE.id, source: FIRST_EXAMPLE.source });
    },
  );

  it('stands on the root element, where the style sheets read it', () => {
    applyPreferences({ theme: 'dark', direction: 'rtl', split: 50, plan: 'off' });
    expect([document.documentElement.dataset.theme, document.documentElement.dir]).toEqual(['dark', 'rtl']);
    applyPreferences({ theme: 'system', direction: 'ltr', split: 50, plan: 'off' });
    expect([document.documentElement.dataset.theme, document.documentElement.dir]).toEqual([undefined, 'ltr']);
  });
});
