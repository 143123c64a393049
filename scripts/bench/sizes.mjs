// What a page loads of each entry, measured as `npm run size` does, on a fresh build.
import { Explained, run } from '../setup.mjs';
import { sizes } from '../size.mjs';

/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1);

/** @param {{ gzip: number, budget?: number }} row */
const judge = ({ gzip, budget }) =>
  budget === undefined ? '' : `≤ ${budget / 1000} kB: ${gzip <= budget ? 'met' : '**missed**'}`;

/** @returns {Promise<string>} a table in Markdown */
export async function sizesTable() {
  const { code, text } = await run('npm', ['run', '--silent', 'build'], { silent: true });
  if (code !== 0) throw new Explained(`The package could not be built, so it has no size: ${text}`);
  const rows = (await sizes()).map((row) => `| ${row.label} | ${kB(row.raw)} | ${kB(row.gzip)} | ${judge(row)} |`);
  const head = ['| minified by an application, React apart | kB | kB gzipped | target |', '|---|--:|--:|---|'];
  return ['## Sizes', '', ...head, ...rows, ''].join('\n');
}
