// `node scripts/record-journals.mjs`: plays the recorded cases anew and writes their journals to
// `src/journal/fixtures/v<version>/`. For a new version of the format; recordings of older versions are never rewritten.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleForNode } from './bundle.mjs';
import { ROOT, command } from './setup.mjs';

await command(async () => {
  const folder = await bundleForNode('journals', { record: 'scripts/journals/record.ts' });
  const { recordAll } = await import(pathToFileURL(join(folder, 'record.mjs')).href);
  const recordings = await recordAll();
  for (const [name, recording] of Object.entries(recordings)) {
    const target = join(ROOT, `src/journal/fixtures/v${recording.version}`);
    mkdirSync(target, { recursive: true });
    const lines = recording.events.map((/** @type {unknown} */ event) => `    ${JSON.stringify(event)}`);
    const { version, values, expected } = recording;
    const text = `{\n  "version": ${version},\n  "expected": ${JSON.stringify(expected)},\n  "values": ${JSON.stringify(values)},\n  "events": [\n${lines.join(',\n')}\n  ]\n}\n`;
    writeFileSync(join(target, `${name}.json`), text);
  }
  console.log(`${Object.keys(recordings).length} journals written.`);
  return 0;
});
