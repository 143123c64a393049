import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeStarter } from '../src/bridge/node-worker-port.ts';
import { monotonicClock } from '../src/bridge/system-clock.ts';
import { openLink } from '../src/bridge/worker-link.ts';
import { PROTOCOL_VERSION } from '../src/protocol/wire.ts';
import { workerUrl } from '../src/worker-url.ts';
import { KEPT_GLOBALS, KEPT_PROCESS } from './lock-down-lists.ts';
import { openWays, PROBE, type RealmSurvey, surveyOf, unknownGlobals } from './test-tools/probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'codemode-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The realm of the real file, as the platform starts it. */
async function surveyed(name: string): Promise<RealmSurvey> {
  const file = join(folder, name);
  writeFileSync(file, readFileSync(workerUrl, 'utf8') + PROBE);
  const port = await createNodeStarter(pathToFileURL(file))(9_000);
  const link = await openLink(port, { protocol: PROTOCOL_VERSION, memoryBytes: 16 * 1024 * 1024 }, monotonicClock, 9_000);
  const survey = await surveyOf(port);
  link.end({ code: 'cancelled', message: 'The test is over.' });
  return survey;
}

describe.each([
  ['as a script, like the file of the package', 'probed.js'],
  ['as a module', 'probed.mjs'],
])('in a thread of Node, %s,', (_how, name) => {
  let survey: RealmSurvey;
  beforeAll(async () => {
    survey = await surveyed(name);
  });

  test('nothing is left but what is listed', () => {
    expect(survey.globals).toContain('Promise');
    expect(unknownGlobals(survey, KEPT_GLOBALS)).toEqual([]);
    expect(survey.navigator).toEqual([]);
  });

  test('of `process` only what Node itself calls is left, and two facts that cannot be removed', () => {
    const fixed = ['argv0', 'features'];
    expect(survey.process.filter((key) => !KEPT_PROCESS.has(key) && !fixed.includes(key))).toEqual([]);
  });

  test('environment and arguments are empty', () => {
    expect(survey.environment).toEqual([]);
  });

  test('every way out that was tried is refused', () => {
    expect(Object.keys(survey.attempts).length).toBeGreaterThan(25);
    expect(openWays(survey)).toEqual([]);
  });
});
