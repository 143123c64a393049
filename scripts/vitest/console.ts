/**
 * Setup of every test file: a line on the console that no test asked for fails the test that wrote it.
 * A test that expects output replaces the method (`vi.spyOn(console, 'warn').mockImplementation(() => {})`).
 */
import { afterEach, beforeEach } from 'vitest';

const METHODS = ['log', 'info', 'warn', 'error'] as const;
/** Files follow one another in a process; this one is loaded anew for each, the console is watched once. */
const shared = globalThis as { unaskedLines?: string[] };
const methods = shared.unaskedLines ? [] : METHODS;
const seen = (shared.unaskedLines ??= []);

for (const method of methods) {
  const original = console[method].bind(console);
  console[method] = (...parts: unknown[]): void => {
    seen.push(`console.${method}: ${parts.map(String).join(' ').slice(0, 2_000)}`);
    original(...parts);
  };
}

beforeEach(() => {
  seen.length = 0;
});

afterEach(() => {
  const lines = seen.splice(0);
  if (lines.length > 0) throw new Error(`Unexpected console output (expect it, or remove its cause):\n${lines.join('\n')}`);
});
