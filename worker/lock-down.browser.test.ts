import { beforeAll, expect, test } from 'vitest';
import { createWebWorkerStarter } from '../src/bridge/start-web-worker.ts';
import { monotonicClock } from '../src/bridge/system-clock.ts';
import { openLink } from '../src/bridge/worker-link.ts';
import { PROTOCOL_VERSION } from '../src/protocol/wire.ts';
import { workerUrl } from '../src/worker-url.ts';
import { KEPT_GLOBALS } from './lock-down-lists.ts';
import { HARMLESS_CONSTANTS, openWays, PROBE, type RealmSurvey, surveyOf, unknownGlobals } from './test-tools/probe.ts';

let survey: RealmSurvey;

beforeAll(async () => {
  const text = (await (await fetch(workerUrl)).text()) + PROBE;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const port = await createWebWorkerStarter({ url: () => url }).start(9_000);
  const link = await openLink(port, { protocol: PROTOCOL_VERSION, memoryBytes: 16 * 1024 * 1024 }, monotonicClock, 9_000);
  survey = await surveyOf(port);
  link.end({ code: 'cancelled', message: 'The test is over.' });
});

test('in a web worker nothing is left but what is listed', () => {
  expect(survey.globals).toContain('Promise');
  expect(unknownGlobals(survey, new Set([...KEPT_GLOBALS, ...HARMLESS_CONSTANTS]))).toEqual([]);
  expect(survey.navigator).toEqual([]);
});

test('every way out that was tried is refused, but for `import()`, which the policy of the worker file closes', () => {
  expect(Object.keys(survey.attempts).length).toBeGreaterThan(25);
  expect(openWays(survey).filter((way) => !way.startsWith('import of'))).toEqual([]);
});
