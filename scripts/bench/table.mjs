// The tables of bench/RESULTS.md.

/** @typedef {import('./measure.mjs').Cell} Cell */
/** @typedef {import('../../bench/rows.ts').Target} Target */
/** @typedef {{ title: string, cells: Map<string, Cell>, target?: Target }} Line */

/** @type {Record<string, string>} */
const HEADINGS = { prototype: 'bare prototype', platform: 'platform alone' };
const PEERLESS = new Set(['ours', 'prototype', 'platform']);

/** @param {number} ms */
const figure = (ms) => (ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en'));

/** @param {Cell | undefined} cell */
const msOf = (cell) => (cell && 'ms' in cell ? cell.ms : undefined);

/**
 * A figure, and how many times ours it is.
 * @param {Cell | undefined} cell
 * @param {number | undefined} ours
 */
function write(cell, ours) {
  if (!cell) return '–';
  if ('note' in cell) return cell.note;
  return ours === undefined ? figure(cell.ms) : `${figure(cell.ms)} (${(cell.ms / ours).toFixed(2)}×)`;
}

/**
 * @param {Target | undefined} target
 * @param {Map<string, Cell>} cells
 */
function judge(target, cells) {
  const ours = msOf(cells.get('ours'));
  if (!target || ours === undefined) return '';
  if ('ms' in target) return `≤ ${target.ms} ms: ${ours <= target.ms ? 'met' : '**missed**'}`;
  const other = msOf(cells.get(target.subject));
  if (other === undefined) return '';
  const times = ours / other;
  return `≤ ${target.times} × ${HEADINGS[target.subject]}: ${times <= target.times ? 'met' : '**missed**'} (${times.toFixed(2)})`;
}

/**
 * Peers that were at least as fast, by name.
 * @param {Map<string, Cell>} cells
 */
function ahead(cells) {
  const ours = msOf(cells.get('ours'));
  if (ours === undefined) return '';
  const faster = [...cells].filter(([name, cell]) => !PEERLESS.has(name) && (msOf(cell) ?? Infinity) <= ours);
  return faster.map(([name]) => name).join(', ');
}

/**
 * @param {string} title
 * @param {readonly string[]} subjects
 * @param {readonly Line[]} lines
 */
export function table(title, subjects, lines) {
  const heads = ['ms', ...subjects.map((name) => HEADINGS[name] ?? name), 'target', 'peers ahead'];
  const rows = lines.map(({ title: row, cells, target }) => [
    row,
    ...subjects.map((name) => write(cells.get(name), name === 'ours' ? undefined : msOf(cells.get('ours')))),
    judge(target, cells),
    ahead(cells),
  ]);
  return [
    `## ${title}`,
    '',
    `| ${heads.join(' | ')} |`,
    `|---|${'--:|'.repeat(subjects.length)}---|---|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
}

/**
 * What a page loads of each subject up to its first result.
 * @param {Map<string, import('./cold.mjs').Loaded>} loaded
 */
export function loadedTable(loaded) {
  const rows = [...loaded].map(
    ([name, { code, wasm }]) =>
      `| ${HEADINGS[name] ?? name} | ${code.toFixed(1)} | ${wasm.toFixed(1)} | ${(code + wasm).toFixed(1)} |`,
  );
  return [
    '## Loaded on a cold page up to the first result',
    '',
    '| kB gzipped | code | WebAssembly apart | together |',
    '|---|--:|--:|--:|',
    ...rows,
    '',
    'Ours has its WebAssembly in the code of the worker.',
    '',
  ].join('\n');
}
