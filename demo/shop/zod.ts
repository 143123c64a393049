import { array, config, number, object, enum as oneOf, string } from 'zod';

// Zod compiles validators with `new Function` where it may; the page's content policy forbids that and reports the attempt.
config({ jitless: true });

interface Z {
  readonly array: typeof array;
  readonly enum: typeof oneOf;
  readonly number: typeof number;
  readonly object: typeof object;
  readonly string: typeof string;
}

/**
 * What the tools need of Zod, without its compiler. A value of its own: a mere re-export would be looked through by the
 * bundler, and the line above left out; the whole namespace would bring all of Zod into the page.
 */
export const z: Z = { array, enum: oneOf, number, object, string };
