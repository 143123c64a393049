/** What engines may differ in; with `FULL=1` the rest as well. */
import { describe, expect, it } from 'vitest';
import { findFirefox } from '../../scripts/browser.mjs';
import { describeOwnDecisions, describeStart, usePages } from './describe-start.ts';

const parts = process.env['FULL'] === '1' ? [describeStart, describeOwnDecisions] : [describeStart];

if (findFirefox())
  describe('firefox', { timeout: 60_000 }, () => {
    const run = usePages('firefox');
    for (const part of parts) part(run);
  });
else it('nothing, because no Firefox is there', () => expect(findFirefox()).toBeUndefined());
