/** Ready rules to start from: `policy: [...askForWrites, { match: 'admin.*', effect: 'hide' }]`. What is added can only be stricter. */
import type { PolicyRule } from './types.ts';

/** Tools that only read are allowed, everything else is denied. */
export const readOnlyAllowed: readonly PolicyRule[] = [
  { name: 'readOnlyAllowed', match: ({ risk }) => risk === 'read', effect: 'allow' },
  {
    name: 'readOnlyAllowed',
    match: ({ risk }) => risk !== 'read',
    effect: 'deny',
    reason: 'only tools that read may be called',
  },
];

/** Tools that only read are allowed, a person is asked about everything else. */
export const askForWrites: readonly PolicyRule[] = [
  { name: 'askForWrites', match: ({ risk }) => risk === 'read', effect: 'allow' },
  { name: 'askForWrites', match: ({ risk }) => risk !== 'read', effect: 'ask' },
];

/** Nothing may be called. */
export const denyAll: readonly PolicyRule[] = [{ name: 'denyAll', effect: 'deny', reason: 'no tool may be called' }];

/**
 * A rehearsal: tools that only read run, all others are simulated. What would have been called is in the trace; the program gets a
 * stub that fits the output schema (`{}` where there is none), and nobody is asked.
 */
export const simulate: readonly PolicyRule[] = [
  { name: 'simulate', match: ({ risk }) => risk !== 'read', effect: 'simulate', reason: 'this is a rehearsal' },
];
