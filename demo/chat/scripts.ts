import { correction } from './scripts/correction.ts';
import { damagedItems } from './scripts/damaged-items.ts';
import { lateParcels } from './scripts/late-parcels.ts';
import { reorder } from './scripts/reorder.ts';
import type { Script } from './scripts/script.ts';

/** In the order of the suggestions. */
export const SCRIPTS: readonly Script[] = [lateParcels, damagedItems, reorder, correction];

const lost: Script = {
  id: 'lost',
  label: '',
  prompt: '',
  words: /^/,
  next: () => ({
    say: `I follow scripts and do not understand free text. I can play these:\n\n${SCRIPTS.map((script) => `– ${script.prompt}`).join('\n')}\n\nFor anything else, bring your own model (top of the page).`,
  }),
};

/** The script that a question starts. */
export function scriptFor(question: string): Script {
  return (
    SCRIPTS.find((script) => script.prompt === question.trim()) ?? SCRIPTS.find((script) => script.words.test(question)) ?? lost
  );
}
