/** How the page looks and when it asks; kept across visits. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly direction: 'ltr' | 'rtl';
  /** Share of the width that the left side takes, in percent. */
  readonly split: number;
  /** Whether each program is put before the person as a whole. */
  readonly plan: 'off' | 'ask';
}

export const SPLIT = { min: 25, max: 75, initial: 50 } as const;

const KEY = 'playground';
const DEFAULTS: Preferences = { theme: 'system', direction: 'ltr', split: SPLIT.initial, plan: 'off' };

export function readPreferences(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Preferences, unknown>>;
    return {
      theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : DEFAULTS.theme,
      direction: stored.direction === 'rtl' ? 'rtl' : 'ltr',
      split: typeof stored.split === 'number' ? Math.min(SPLIT.max, Math.max(SPLIT.min, stored.split)) : DEFAULTS.split,
      plan: stored.plan === 'ask' ? 'ask' : 'off',
    };
  } catch {
    // No storage (private mode) or a foreign value: start as if for the first time.
    return DEFAULTS;
  }
}

export function savePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // The page works without.
  }
}

/** Puts theme and direction on the root element, where styles.css and the browser's own controls read them. */
export function applyPreferences({ theme, direction }: Preferences): void {
  const { documentElement: root } = document;
  root.dir = direction;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}
