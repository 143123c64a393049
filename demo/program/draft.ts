import { EXAMPLES, FIRST_EXAMPLE } from './examples.ts';

/** What stands in the editor, and the example it began as. */
export interface Draft {
  readonly example: string;
  readonly source: string;
}

/** Whether another program stands there than the example it began as. */
export function isEdited({ example, source }: Draft): boolean {
  return EXAMPLES.find((one) => one.id === example)?.source !== source;
}

/** What a run of it is called: by the example only while it is that program. */
export function titleOf(draft: Draft): string {
  return isEdited(draft) ? 'Your program' : (EXAMPLES.find((one) => one.id === draft.example)?.label ?? 'Your program');
}

const KEY = 'playground-program';

/** The example that the address names (`#program?example=deadlock`), the draft of the last visit, or the first example. */
export function readDraft(): Draft {
  const named = new URLSearchParams(location.hash.split('?')[1]).get('example');
  const example = EXAMPLES.find((one) => one.id === named);
  if (example) return { example: example.id, source: example.source };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Record<keyof Draft, unknown>> | null;
    if (stored && typeof stored.source === 'string' && EXAMPLES.some((example) => example.id === stored.example)) {
      return { example: String(stored.example), source: stored.source };
    }
  } catch {
    // No storage or a foreign value: start with the first example.
  }
  return { example: FIRST_EXAMPLE.id, source: FIRST_EXAMPLE.source };
}

export function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // The draft then lasts as long as the page.
  }
}
