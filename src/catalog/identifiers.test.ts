import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameTools, toIdentifier } from './identifiers.ts';
import { catalogFiles, readTools } from './test-tools/node-shared-data.ts';

const VALID = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
const named = (...names: string[]) => nameTools(names.map((name) => ({ name })));
const identifiers = (...names: string[]) => named(...names).names.map((one) => one.identifier);

describe('identifiers', () => {
  it('keeps a valid name and makes others readable', () => {
    expect(
      identifiers(
        'getUser',
        'weather.get-current',
        '2fa_code',
        'delete',
        'files/read',
        'GET:/patterns/names',
        'größe',
        'send mail',
        'a__b',
      ),
    ).toEqual([
      'getUser',
      'weather_get_current',
      '_2fa_code',
      'delete',
      'files_read',
      'GET_patterns_names',
      'größe',
      'send_mail',
      'a__b',
    ]);
  });

  it('gives both of a colliding pair a name of their own', () => {
    const [dotted, plain] = identifiers('catalog.query', 'catalog_query');
    expect(plain).toBe('catalog_query');
    expect(dotted).toMatch(/^catalog_query_[a-z0-9]{4}$/);
    const [dot, slash] = identifiers('a.b', 'a/b');
    expect(dot).not.toBe(slash);
  });

  it('tells names apart that differ only in capitals, in an invisible letter or in their normal form', () => {
    expect(new Set(identifiers('getUser', 'getuser', 'get\u200dUser', 'größe', 'gro\u0308ße')).size).toBe(5);
  });

  it('never uses a word that objects, promises or codemode answer to', () => {
    const words = [
      'then',
      'constructor',
      '__proto__',
      'toJSON',
      'hasOwnProperty',
      'search',
      'describe',
      'invoke',
      'emit',
      'results',
      'toString',
    ];
    const { table } = named(...words);
    for (const word of words) expect(Object.keys(table.identifiers)).not.toContain(word);
    expect(Object.keys(table.identifiers)).toHaveLength(words.length);
  });

  it('puts tools of a server or with a dotted name into a namespace', () => {
    const { table, names } = nameTools([
      { name: 'orders.get' },
      { name: 'create_issue', server: 'git-hub' },
      { name: 'git-hub.close', server: 'git-hub' },
      { name: 'solo' },
    ]);
    expect(table.namespaces.orders?.get).toBe(0);
    expect(table.namespaces.git_hub).toEqual({ create_issue: 1, close: 2 });
    expect(names.map((one) => one.expression)).toEqual([
      'tools.orders.get',
      'tools.create_issue',
      'tools.git_hub.close',
      'tools.solo',
    ]);
  });

  it('lets a tool inside of a namespace be called search, not then', () => {
    const { table, names } = named('github.search', 'github.then', 'search');
    expect(names.map((one) => one.expression)).toEqual(['tools.github.search', 'tools.github_then', 'tools.search_']);
    expect(table.namespaces.github).toEqual({ search: 0, then_: 1 });
  });

  it('offers no namespace that is also a tool', () => {
    expect(named('orders', 'orders.get').table.namespaces).toEqual({});
  });

  const anyName = fc.oneof(
    fc.string({ minLength: 1, maxLength: 24, unit: 'grapheme' }),
    fc.string({
      minLength: 1,
      maxLength: 5,
      unit: fc.constantFrom('a', 'A', '.', '-', '_', '/', ' ', '1', '$', 'ß', '\u200d', '😀'),
    }),
    fc.constantFrom('then', '__proto__', 'constructor', 'then_', 'tool', '_', '__', '\ud800'),
  );
  const anyNames = fc.uniqueArray(anyName, { minLength: 1, maxLength: 40 });

  it('gives every tool exactly one valid identifier, whatever the names (property)', () => {
    fc.assert(
      fc.property(anyNames, (list) => {
        const { table, names } = named(...list);
        expect(new Set(names.map((one) => one.identifier)).size).toBe(list.length);
        names.forEach((one, i) => {
          expect(one.identifier).toMatch(VALID);
          expect(table.identifiers[one.identifier]).toBe(i);
          if (one.namespace !== undefined) expect(table.namespaces[one.namespace]?.[one.member ?? '']).toBe(i);
          if (one.member !== undefined) expect(one.member).toMatch(VALID);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of the tools (property)', () => {
    fc.assert(
      fc.property(anyNames, fc.infiniteStream(fc.nat()), (list, stream) => {
        const keys = list.map((name) => ({ name, order: stream.next().value as number }));
        const shuffled = keys.sort((a, b) => a.order - b.order).map(({ name }) => name);
        const before = new Map(named(...list).names.map((one, i) => [list[i], one]));
        named(...shuffled).names.forEach((one, i) => expect(one).toEqual(before.get(shuffled[i])));
      }),
    );
  });

  it('keeps the identifiers of tools that a new tool does not collide with (property)', () => {
    fc.assert(
      fc.property(anyNames, anyName, (list, extra) => {
        if (list.includes(extra)) return;
        const before = named(...list).names;
        const after = named(...list, extra).names;
        list.forEach((name, i) => {
          const untouched =
            toIdentifier(name) !== toIdentifier(extra) && before[i]?.identifier !== after[list.length]?.identifier;
          if (untouched) expect(after[i]?.identifier).toBe(before[i]?.identifier);
        });
      }),
    );
  });

  it.each(catalogFiles())('names every tool of %s', { timeout: 60_000 }, (file) => {
    const tools = readTools(file);
    const { table, names } = nameTools(tools);
    expect(new Set(names.map((one) => one.identifier)).size).toBe(tools.length);
    for (const name of Object.keys(table.identifiers)) expect(name).toMatch(VALID);
  });
});
