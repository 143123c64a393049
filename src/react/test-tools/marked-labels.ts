/** German labels whose every word is in brackets, so that a test sees which words of a page did not come from them. */
import { germanLabels } from '../labels-de.ts';
import type { Labels } from '../labels.ts';

const OPEN = '⟦';
const CLOSE = '⟧';

function mark(value: unknown, key: string): unknown {
  if (key === 'locale') return value;
  if (typeof value === 'string') return OPEN + value + CLOSE;
  if (typeof value === 'function') return (...given: unknown[]) => OPEN + String(Reflect.apply(value, undefined, given)) + CLOSE;
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, mark(item, name)]));
}

export const markedLabels: Labels = mark(germanLabels, '') as Labels;

/** What of a text is not in brackets, nested ones taken out as a whole. */
export function unmarked(text: string): string {
  let depth = 0;
  let rest = '';
  for (const letter of text) {
    if (letter === OPEN) depth += 1;
    else if (letter === CLOSE) depth -= 1;
    else if (depth === 0) rest += letter;
  }
  return rest;
}

const SPOKEN = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];

/** Every text that a person can read or hear below an element: text nodes and the attributes that are spoken. */
export function wordsIn(root: Element): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(root, 4 /* SHOW_TEXT */);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.nodeValue ?? '');
  for (const element of [root, ...root.querySelectorAll('*')])
    for (const name of SPOKEN) if (element.hasAttribute(name)) found.push(element.getAttribute(name)!);
  return found;
}
