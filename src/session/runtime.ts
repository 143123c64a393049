/**
 * What a session needs once something runs, is judged or is read. This file is the entry of code that pages load with the
 * first of these (`load-runtime`); whatever is not named here and not needed to open a session must not be imported by
 * `session.ts`, or every page pays for it.
 */
export { takeParts } from './content-parts.ts';
export { Decisions } from './decisions.ts';
export { directCall, recordedCall } from './direct-call.ts';
export { createDirectTools } from './direct-tools.ts';
export { explainHypothetical } from '../policy/explain.ts';
export { explainCall } from './explain-call.ts';
export { definitionsText, listingText } from './model-listing.ts';
export { outcomeText } from './model-text.ts';
export { readStored } from './outcome.ts';
export { judge, refused } from './preflight.ts';
export { patience } from './preflight-question.ts';
export { forkRun } from './replay/fork.ts';
export { previewGrant, suggestRule, waitingCalls } from './preview-grant.ts';
export { recordedRun } from './replay/recorded-run.ts';
export { rehearse } from './rehearsal.ts';
export { takeUp } from './replay/take-up.ts';
export { runQueued } from './run.ts';
export { refuse } from './run-failure.ts';
export { snapshotsOf } from './snapshots.ts';
export { undoRun } from './undo-run.ts';
