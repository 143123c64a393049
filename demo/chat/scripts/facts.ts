import type { Answer, Move } from './script.ts';

/** The value in an answer's text: the text itself, or the outermost JSON in it. */
export function factsOf<T>(answer: Answer): T | undefined {
  if (!answer.ok) return undefined;
  for (const text of [answer.text, between(answer.text, '{', '}'), between(answer.text, '[', ']')]) {
    try {
      return JSON.parse(text) as T;
    } catch {
      // Not this part of the text.
    }
  }
  return undefined;
}

function between(text: string, open: string, close: string): string {
  return text.slice(text.indexOf(open), text.lastIndexOf(close) + 1);
}

/** What to say about a run that gave no value: stopped, denied or failed, in the answer's own words. */
export function sayFailure(answer: Answer, nothing: string): Move {
  if (/stopped|cancelled/i.test(answer.text)) return { say: `The run was stopped. ${nothing}` };
  return { say: `The program did not get through. ${nothing} The answer was:\n\n${answer.text.slice(0, 600)}` };
}
