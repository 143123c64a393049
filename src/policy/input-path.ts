/** Places in an input, as people write them: `amount`, `lines[0].price`, `lines[*].price`, `["odd key"]`. */

/** A key, an index, or every element. */
export type PathStep = string | number | typeof EVERY;

export const EVERY: unique symbol = Symbol('every');

const STEP = /^(?:\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\[(\*)\]|\[("(?:[^"\\]|\\.)*")\])/u;

/** The steps of a path; nothing when it is none. */
export function parsePath(text: string): readonly PathStep[] | undefined {
  const { steps, rest } = readSteps(text.trim());
  return rest === '' && steps.length > 0 ? steps : undefined;
}

/** Reads as many steps as there are at the start of a text. */
export function readSteps(text: string): { readonly steps: readonly PathStep[]; readonly rest: string } {
  const steps: PathStep[] = [];
  let rest = text;
  for (;;) {
    const found = STEP.exec(rest);
    // The first key stands without a dot, every other one with it.
    if (!found || (found[1] !== undefined && found[0].startsWith('.') !== steps.length > 0)) return { steps, rest };
    const [whole, key, index, every, quoted] = found;
    if (every) steps.push(EVERY);
    else if (index !== undefined) steps.push(Number(index));
    else if (quoted === undefined) steps.push(key as string);
    else {
      const text = unquoted(quoted);
      if (text === undefined) return { steps, rest };
      steps.push(text);
    }
    rest = rest.slice(whole.length);
  }
}

function unquoted(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** A path as text, so that `parsePath` gives the same steps. */
export function pathText(steps: readonly PathStep[]): string {
  return steps
    .map((step, at) => {
      if (step === EVERY) return '[*]';
      if (typeof step === 'number') return `[${step}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step) ? `${at === 0 ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
}

/**
 * What stands at a place: one value, or with `[*]` any number. Nothing when the place is missing in the value, or in any element
 * that `[*]` goes through. Own fields only.
 */
export function valuesAt(value: unknown, steps: readonly PathStep[]): readonly unknown[] | undefined {
  const [step, ...further] = steps;
  if (step === undefined) return [value];
  if (step === EVERY) {
    if (!Array.isArray(value)) return undefined;
    const found: unknown[] = [];
    for (const element of value) {
      const inside = valuesAt(element, further);
      if (!inside) return undefined;
      for (const each of inside) found.push(each);
    }
    return found;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return valuesAt((value as Record<string | number, unknown>)[step], further);
}
