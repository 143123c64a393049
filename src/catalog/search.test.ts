import { describe, expect, it } from 'vitest';
import { createSearchIndex } from './search.ts';
import { readShared, readTools, sharedFile } from './test-tools/node-shared-data.ts';
import { searchTerms, stem } from './tokenize.ts';
import type { JsonSchema } from './tool.ts';

const doc = (name: string, description = '', inputJsonSchema: JsonSchema = {}) => ({ name, description, inputJsonSchema });

describe('search', () => {
  it('splits names and drops plural endings and filler words', () => {
    expect(searchTerms('Please list the HTTPErrors of getOpenIssues_v2 queries')).toEqual([
      'list',
      'http',
      'error',
      'open',
      'issue',
      'v2',
      'query',
    ]);
    expect(['boxes', 'status', 'address', 'issues', 'bus', 'companies'].map(stem)).toEqual([
      'box',
      'status',
      'address',
      'issue',
      'bus',
      'company',
    ]);
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
    for (const query of ['', '???', '__proto__', 'constructor', '\u0000', 'x'.repeat(100_000)])
      expect(index.search(query, 5)).toEqual([]);
  });
});

interface Query {
  readonly suite: string;
  readonly catalog: string;
  readonly query: string;
  readonly tools: readonly (string | readonly string[])[];
}

type Baseline = Record<string, Record<string, { readonly handed: { readonly r5: number; readonly r10: number } }>>;

const hasData = sharedFile('data/tool-queries.json') !== undefined;

describe(hasData ? 'search quality on real queries' : 'search quality is not measured: the shared data folder is absent', () => {
  const queries = hasData ? (readShared('data/tool-queries.json') as Query[]) : [];
  const suites = [...new Set(queries.map((query) => query.suite))];

  it.each(suites)('finds within one point of the measured BM25 on %s', { timeout: 60_000 }, (suite) => {
    const mine = queries.filter((query) => query.suite === suite);
    const tools = readTools(mine[0]?.catalog ?? '');
    const index = createSearchIndex(tools.map((tool) => doc(tool.name, tool.description, tool.inputSchema as JsonSchema)));
    const recall = (k: number) => {
      const each = mine.map((query) => {
        const found = new Set(index.search(query.query, k).map((hit) => tools[hit.index]?.name));
        return query.tools.filter((tool) => [tool].flat().some((name) => found.has(name))).length / query.tools.length;
      });
      return (100 * each.reduce((sum, one) => sum + one, 0)) / each.length;
    };
    const baseline = (readShared('data/bm25-baseline.json') as Baseline)[suite]?.['bm25 +param descs']?.handed;
    expect(recall(5)).toBeGreaterThanOrEqual((baseline?.r5 ?? 100) - 1);
    expect(recall(10)).toBeGreaterThanOrEqual((baseline?.r10 ?? 100) - 1);
  });

  it('builds its index and answers fast enough to do so between two messages', () => {
    const documents = Array.from({ length: 1_000 }, (_, i) =>
      doc(`server${i % 9}.getThing${i}`, `Returns thing number ${i} of the ${i % 7} archives.`, {
        properties: { id: { description: 'Number of the thing' } },
      }),
    );
    const started = performance.now();
    expect(createSearchIndex(documents).search('thing 77', 1)[0]?.index).toBe(77);
    // 15 ms on a quiet machine; the bound only catches a wrong order of growth.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
