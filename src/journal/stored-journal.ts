/** What a journal needs when there is a stored one. Loaded then, by `journal.ts` alone: bundlers warn of a lazy module that others import, too. */
export { readEvents } from './read-events.ts';
export { planTrim } from './retention.ts';
