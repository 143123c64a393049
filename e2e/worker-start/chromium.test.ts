import { describe } from 'vitest';
import { describeOwnDecisions, describeStart, usePages } from './describe-start.ts';

// A page, a worker and a compilation each: seconds on a loaded machine.
describe('chromium', { timeout: 60_000 }, () => {
  const run = usePages('chromium');
  describeStart(run);
  describeOwnDecisions(run);
});
