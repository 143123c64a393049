/** Small words that all texts for the model share. */
import type { CatalogEntry } from '../catalog/catalog.ts';

/** 12345 → '12,345', the same everywhere. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Halves of pairs replaced: an API refuses a request that holds one, and with it the whole conversation. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Without half of a pair of units at the end. */
export function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** What a program should know before it calls: `read-only`, `asks the user first`. */
export function marksOf({ tool, risk, readOnly, trusted }: CatalogEntry): string {
  const needs = tool.needsApproval ?? tool.requiresApproval;
  const asks = needs === true || typeof needs === 'function' || (needs === undefined && risk === 'danger') || !trusted;
  return [
    ...(readOnly ? ['read-only'] : []),
    ...(asks ? [typeof needs === 'function' ? 'may ask the user first' : 'asks the user first'] : []),
  ].join(', ');
}
