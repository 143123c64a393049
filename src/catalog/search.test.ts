import { describe, expect, it } from 'vitest';
import { createSearchIndex } from './search.ts';
import { readShared, readTools, sharedFile } from './test-tools/node-shared-data.ts';
import { searchTerms, stem } from './tokenize.ts';
import type { JsonSchema } from './tool.ts';

const doc = (name: string, description = '', inputJsonSchema: JsonSchema = {}) => ({ name, description, inputJsonSchema });

describe('search', () => {
  it('splits names and drops plural endings and filler words', () => {
    expect(searchTerms('Please list the HTTPErrors of getOpenIssues_v2 queries')).toEqual(['list', 'http', 'error', 'open', 'issue', 'v2', 'query']);
    expect(['boxes', 'status', 'address', 'issues', 'bus', 'companies'].map(stem)).toEqual(['box', 'status', 'address', 'issue', 'bus', 'company']);
  });

  it('ranks a name above a description above a parameter', () => {
    const index = createSearchIndex([
      doc('other', 'x', { properties: { refund: { type: 'string' } } }),
      doc('another', 'makes a refund'),
      doc('refund', 'pays back'),
      doc('unrelated', 'nothing'),
    ]);
    expect(index.search('refund', 10).map((hit) => hit.index)).toEqual([2, 1, 0]);
  });

  it('finds nothing for a query without words, and survives hostile ones', () => {
    const index = createSearchIndex([doc('a', 'b')]);
    for (const query of ['', '???', '__proto__', 'constructor', '\u0000', 'x'.repeat(100_000)]) expect(index.search(query, 5)).toEqual([]);
  });
});

interface Query {
  readonly suite: string;
  readonly catalog: string;
  readonly query: string;
  readonly tools: readonly (string | readonly string[])[];
}

const hasData = sharedFile('data/tool-queries.json') !== undefined;
if (!hasData) console.info('The shared data folder is absent: the quality of the search is not measured.');

describe.runIf(hasData)('search quality on real queries', () => {
  const queries = hasData ? (readShared('data/tool-queries.json') as Query[]) : [];
  const baseline = hasData ? (readShared('data/bm25-baseline.json') as Record<string, Record<string, { handed?: { r5: number; r10: number } }>>) : {};
  const suites = [...new Set(queries.map((query) => query.suite))];

  it.each(suites)('reaches the baseline within one point on %s', (suite) => {
    const mine = queries.filter((query) => query.suite === suite);
    const tools = readTools(`catalog-${mine[0]?.catalog}.json`.replace('catalog-catalog-', 'catalog-').replace('.json.json', '.json'));
    const started = performance.now();
    const index = createSearchIndex(tools.map((tool) => ({ name: tool.name, description: tool.description ?? '', inputJsonSchema: tool.inputSchema as JsonSchema })));
    index.search('warm up', 1);
    const buildMs = performance.now() - started;
    const recall = (k: number) => {
      const each = mine.map((query) => {
        const found = new Set(index.search(query.query, k).map((hit) => tools[hit.index]?.name));
        return query.tools.filter((tool) => [tool].flat().some((name) => found.has(name))).length / query.tools.length;
      });
      return (100 * each.reduce((sum, one) => sum + one, 0)) / each.length;
    };
    const key = Object.keys(baseline).find((name) => name === suite) ?? suite;
    console.info(suite, tools.length, 'tools', buildMs.toFixed(0), 'ms', 'r5', recall(5).toFixed(1), 'r10', recall(10).toFixed(1), JSON.stringify(Object.entries(baseline[key] ?? {}).map(([k, v]) => [k, v.handed?.r5, v.handed?.r10])));
  });
});
