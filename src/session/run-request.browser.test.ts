import { expect, it } from 'vitest';
import { placeNow } from './run-request.ts';

it('a run is where the page is, however the platform is asked', () => {
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(placeNow()).toEqual({ locale, timeZone });
});
