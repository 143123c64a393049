/**
 * What a catalogue needs once something runs: judging values, finding tools, guessing names. This file is the entry of code
 * that pages load with the first run (`load-catalog-runtime`). A tool set is checked, named and described without it.
 */
export { createJsonValidator } from './json-validator.ts';
export { createSearchIndex } from './search.ts';
export { createStandardValidator } from './standard-validator.ts';
export { suggestNames } from './suggest.ts';
