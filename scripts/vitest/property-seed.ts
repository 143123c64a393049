/**
 * Setup of every test file: property tests draw the same sample in every `npm test`, so that a commit is judged by what it
 * changed; `npm run test:full` draws a new one. A failing sample prints its seed either way.
 */
import fc from 'fast-check';

const drawn = typeof process !== 'undefined' && process.env?.PROPERTY_SEED === 'random';

if (!drawn) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_129 });
