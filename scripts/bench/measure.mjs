// Plays the rows: rounds of all subjects interleaved, so that drift of the machine hits all alike.

/** @typedef {import('./hosts.mjs').Host} Host */
/** @typedef {import('../../bench/rows.ts').Row} Row */
/**
 * What a subject showed in a row: a figure in milliseconds, or why there is none.
 * @typedef {{ ms: number } | { note: string }} Cell
 */

/** A round that takes longer ends the subject's part in the row. Milliseconds. */
const ROUND_MS = 30_000;

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
function inTime(work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end in ${ROUND_MS / 1000} s`)), ROUND_MS);
  });
  return Promise.race([work, /** @type {Promise<never>} */ (late)]).finally(() => clearTimeout(timer));
}

/** A subject's host, started when needed and anew after it failed. */
class Seat {
  /** @param {() => Promise<Host>} open */
  constructor(open) {
    this.open = open;
    /** @type {Host | undefined} */
    this.host = undefined;
  }

  /**
   * One round; the first of a row only warms up.
   * @param {string} row
   * @returns {Promise<import('./hosts.mjs').Measured | undefined>} nothing: no answer to this row
   */
  async round(row) {
    const host = (this.host ??= await this.open());
    if (!(await inTime(host.prepare(row)))) return undefined;
    const measured = await inTime(host.go());
    await inTime(host.finish());
    return measured;
  }

  async end() {
    await this.host?.end();
    this.host = undefined;
  }
}

/**
 * @param {readonly Row[]} rows
 * @param {Map<string, () => Promise<Host>>} subjects
 * @param {number} rounds
 * @param {(line: string) => void} say
 * @returns {Promise<Map<string, Map<string, Cell>>>} by row and subject
 */
export async function measureRows(rows, subjects, rounds, say) {
  const seats = new Map([...subjects].map(([name, open]) => [name, new Seat(open)]));
  const table = new Map();
  try {
    for (const row of rows) {
      const cells = await measureRow(row, seats, rounds);
      table.set(row.id, cells);
      say(
        `${row.id}: ${[...cells].map(([name, cell]) => `${name} ${'ms' in cell ? cell.ms.toFixed(2) : cell.note}`).join(', ')}`,
      );
    }
  } finally {
    for (const seat of seats.values()) await seat.end();
  }
  return table;
}

/**
 * @param {Row} row
 * @param {Map<string, Seat>} seats
 * @param {number} rounds
 * @returns {Promise<Map<string, Cell>>}
 */
async function measureRow(row, seats, rounds) {
  /** @type {Map<string, number[]>} */
  const times = new Map();
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, seat] of seats) {
      if (cells.has(name)) continue;
      try {
        if (row.kind === 'cold') await seat.end();
        const measured = await seat.round(row.id);
        if (measured === undefined) cells.set(name, { note: '–' });
        else if (round > 0) times.set(name, [...(times.get(name) ?? []), row.cpu ? (measured.cpu ?? Number.NaN) : measured.wall]);
      } catch (error) {
        cells.set(name, { note: brief(error) });
        await seat.end();
      }
    }
  }
  for (const [name, values] of times)
    if (!cells.has(name)) cells.set(name, { ms: row.cpu ? Math.min(...values) : median(values) });
  // In the order of the subjects.
  return new Map([...seats.keys()].map((name) => [name, cells.get(name) ?? { note: '–' }]));
}

/** @param {unknown} error */
function brief(error) {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/^page\.evaluate: (Error: )?/, '').split('\n')[0] ?? '';
  return line.replaceAll('|', '/').slice(0, 80);
}
