import { parse, tokenizer, type Options } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { SourcePosition } from '../../src/protocol/wire.ts';
import { normalise } from './normalise.ts';
import { Lines } from './position.ts';
import type { NormalisedProgram } from './types.ts';

// Properties over generated programs; slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

interface Token {
  readonly text: string;
  readonly at: number;
}

const OPTIONS: Options = { ecmaVersion: 'latest', allowHashBang: true };

function tokens(code: string): Token[] {
  return [...tokenizer(code, OPTIONS)].map((token) => ({ text: code.slice(token.start, token.end), at: token.start }));
}

/** Position as the engine reports it: columns in code points. */
function enginePosition(code: string, at: number): [number, number] {
  const { line } = new Lines(code).positionAt(at);
  const start = code.lastIndexOf('\n', at - 1) + 1;
  return [line, [...code.slice(start, at)].length + 1];
}

function ok(source: string, state: 'run' | 'session' = 'run'): NormalisedProgram {
  const result = normalise(source, { state });
  if (!result.ok) throw new Error(`${result.failure.message}\n${source}`);
  return result;
}

const key = (text: string, at: SourcePosition): string => `${at.line}:${at.column} ${text}`;

/** Tokens that the forms rewrite in place. */
const REWRITTEN = new Set(['return', 'export', 'default', 'const', 'let', 'var', 'class', 'void', ';']);

/** Every token of the model's code is in the emitted code and maps back to where the model wrote it. */
function expectTokensKept(
  program: NormalisedProgram,
  source: string,
  code: string,
  codeAt: (offset: number) => number,
  alsoRewritten: ReadonlySet<string> = new Set(),
): void {
  // What the engine gets is a script: no `return` outside of functions, no exports.
  parse(program.code, { ecmaVersion: 'latest', sourceType: 'script', allowAwaitOutsideFunction: true });
  const emitted = new Set(
    tokens(program.code).map(({ text, at }) => key(text, program.toSource(...enginePosition(program.code, at)))),
  );
  for (const { text, at } of tokens(code)) {
    if (REWRITTEN.has(text) || alsoRewritten.has(text)) continue;
    const wanted = key(text, new Lines(source).positionAt(codeAt(at)));
    if (!emitted.has(wanted)) throw new Error(`${wanted} is not in\n${program.code}\nof\n${source}`);
  }
}

const name = fc.constantFrom('a', 'rows', 'total', 'naïve', '𝒳', '$el', 'i');
const text = fc.constantFrom("'x'", '"é"', "'😀 ok'", '`t ${1 + 1} 😀`', '/a+[/]b/g', '1_000', '0x1f', '12n');
const expression: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    name,
    fc.tuple(tie('e'), tie('e')).map(([x, y]) => `(${x}) + ${y}`),
    fc.tuple(tie('e'), tie('e')).map(([x, y]) => `[${x}, ...[${y}]]`),
    tie('e')
      .map((x) => `{ k: ${x}, ['c']: 1 }`)
      .map((x) => `(${x})`),
    tie('e').map((x) => `await tools.get({ id: ${x} })`),
    tie('e').map((x) => `(async (v) => ${x})(1)`),
    tie('e').map((x) => `(async function named(v) { return ${x}; })()`),
    tie('e').map((x) => `f(${x})?.b?.[0] ?? null`),
  ),
})).e;
const end = fc.constantFrom(';', ';', ' ;', '; // 😀 note', ';\t/* c */');
let counter = 0;
const fresh = name.map((n) => `${n}${counter++}`);
const statement: fc.Arbitrary<string> = fc.letrec<{ s: string }>((tie) => ({
  s: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.tuple(fc.constantFrom('const', 'let', 'var'), fresh, expression, end).map(([kind, n, x, e]) => `${kind} ${n} = ${x}${e}`),
    fc
      .tuple(fc.constantFrom('const', 'let'), fresh, fresh, expression, end)
      .map(([kind, n, m, x, e]) => `${kind} { ${n}, k: [${m} = 1] } = ${x}${e}`),
    fc.tuple(expression, end).map(([x, e]) => `f(${x})${e}`),
    fc.tuple(expression, tie('s')).map(([x, s]) => `if (${x}) {\n  ${s}\n} else f(1);`),
    fc.tuple(fresh, expression, tie('s')).map(([n, x, s]) => `for (const ${n} of [${x}]) { ${s}\n}`),
    fc.tuple(fresh, tie('s')).map(([n, s]) => `async function ${n}(p = 1, ...q) {\r\n  ${s}\r\n}`),
    fc.tuple(fresh, text).map(([n, x]) => `class ${n} { #p = 1; static s = ${x}; get v() { return this.#p; } }`),
    tie('s').map((s) => `try { ${s}\n} catch ({ message }) { f(message) } finally { f() }`),
    fc.constant('// a comment with `ticks` and 😀'),
    fc.constant('/* block\n   😀 */ f(2);'),
    fc.constant(''),
  ),
})).s;
const early = fc
  .tuple(expression, expression)
  .map(([x, y]) =>
    fc.constantFrom(
      `if (${x}) return ${y};`,
      `for (const z of []) { if (z) { return; } f(z) }`,
      `switch (1) { case ${x}: return ${y} }`,
    ),
  );
const body = fc
  .tuple(
    fc.array(statement, { maxLength: 6 }),
    fc.oneof(
      fc.constant(''),
      early.chain((s) => s),
    ),
    fc.array(statement, { maxLength: 3 }),
  )
  .map(([before, mid, after]) => [...before, mid, ...after].join('\n'));
const last = fc.oneof(
  fc.constant(''),
  expression.map((x) => `return ${x};`),
  expression.map((x) => `return ${x}`),
  expression.map((x) => `return (\n  ${x}\n); // done`),
  expression.map((x) => `f(${x})`),
  expression.map((x) => `void f(${x});`),
  expression.map((x) => `export default (${x});`),
  expression.map((x) => `export const last = ${x};`),
  fc.constant('export default async function main() { return 1 }'),
  fc.constant('module.exports = async () => 1;'),
);
const program = fc.tuple(body, last).map(([b, l]) => `f();${b}\n${l}`);

/** The code without the places that were written into tool calls. */
const withoutPlaces = (code: string): string => code.replace(/(?:,|undefined,)*'0\d+:\d+'/g, '');

describe('every token keeps its position', () => {
  it('in programs of statements, with early returns, exports and calls', () => {
    fc.assert(
      fc.property(program, (source) =>
        expectTokensKept(ok(source), source, source, (at) => at, new Set(['=', 'module', 'exports', '.'])),
      ),
      { numRuns: 400 },
    );
  });

  it('literally, where nothing had to be inserted in front of it', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.array(statement, { maxLength: 6 }), last).map(([all, l]) => `f();\n${all.join('\n')}\n${l}`),
        (source) => {
          const code = withoutPlaces(ok(source).code);
          const emitted = new Set(tokens(code).map(({ text: t, at }) => `${at} ${t}`));
          for (const { text: t, at } of tokens(source)) {
            if (!REWRITTEN.has(t) && !/^(?:=|module|exports|\.)$/.test(t))
              expect(emitted.has(`${at} ${t}`), `${at} ${t} in\n${code}`).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('in a session, where declarations are rewritten', () => {
    fc.assert(
      fc.property(program, (source) => {
        const classes = new Set([...source.matchAll(/\bclass (\S+)/g)].map((found) => found[1]!));
        expectTokensKept(ok(source, 'session'), source, source, (at) => at, new Set([...classes, '=', 'module', 'exports', '.']));
      }),
      { numRuns: 300 },
    );
  });

  it('in a fence with prose around', () => {
    fc.assert(
      fc.property(program, fc.constantFrom('```js\n', '~~~ JavaScript\r\n', '  ````  ts {x=1} \n'), (source, fence) => {
        fc.pre(source.trim() !== '' && tokens(source).length > 0);
        const close = fence.includes('````') ? '````' : fence.startsWith('~') ? '~~~' : '```';
        const prefix = `Here is what I will do 😀:\n\n${fence}`;
        const whole = `${prefix}${source}\n${close}\nIt works.`;
        expectTokensKept(ok(whole), whole, source, (at) => at + prefix.length, new Set(['=', 'module', 'exports', '.']));
      }),
      { numRuns: 200 },
    );
  });

  it('in JSON, through every escape', () => {
    fc.assert(
      fc.property(program, fc.boolean(), (source, escapeAll) => {
        fc.pre(tokens(source).length > 0);
        const json = JSON.stringify(source).replace(
          escapeAll ? /[^\x20-\x7e]/g : /$^/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        const whole = `{\n  "title": "x \\" y", "code": ${json}, "n": [1, {"a": "}"}]}`;
        const start = whole.indexOf(json, 20) + 1;
        const offsets: number[] = [];
        for (let i = 1; i < json.length - 1; ) {
          offsets.push(start + i - 1);
          i += json[i] !== '\\' ? 1 : json[i + 1] === 'u' ? 6 : 2;
        }
        expectTokensKept(ok(whole), whole, source, (at) => offsets[at]!, new Set(['=', 'module', 'exports', '.']));
      }),
      { numRuns: 200 },
    );
  });
});

/** TypeScript with its types between « and »: what remains must stay where it was. */
const typed = fc.constantFrom(
  'const a«: number» = 1«  as number»; f(a«!»)',
  "«type Row = { id: string; '😀': 1 };»",
  '«interface Acc<T> extends Base {\n  [k: string]: number;\n  m(): void\n}»',
  'const pick = async «<T,>»(x«: T», y«?: string[]», ...z«: any[]»)«: Promise<T>» => { return x«! as unknown as T»; };',
  'const r = f«<Record<string, number[]>>»(1, new Map«<string, number>»(), [] «as const»);',
  'function g«<T extends { a: 1 }>»(«this: void, »x«: T | null» = null, { a, b }«: { a: 1; b: 2 }» = {})«: x is T» { return !!x }',
  '«function o(a: string): void;»\n«function o(a: number): void;»\nfunction o(a«: any») {}',
  'for (const [k, v] of Object.entries(x)«  as [string, number][]») { f(k, v «satisfies number») }',
  'try { f() } catch (e«: unknown») { f((e «as Error»).message) }',
  '«declare const ext: any;»\n«declare function q(): void;»',
  '«export type A = string;»',
  'let later«!: string»; const 𝒳«: "😀"» = "😀"; f(𝒳);',
  'const w = (x)«   as any»; f((((x))«as Y»).z);',
  'items.filter((x)«: x is Row» => x !== null).map(({ id }«: { id: string }») => ({ id }));',
  'const cast = «<string>»f(1);',
  'f«<T>»`tag ${a«!».b}`;',
  'abstractThing(a«!»[0]«!».b?.c«!»);',
  'const h«: <T>(x: T) => T» = (x) => x, i«: () => void» = () => {};',
  'label: while (x) { break label }',
);

describe('types become spaces', () => {
  it('and every token of the program stays where it was', () => {
    fc.assert(
      fc.property(
        fc.array(typed, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('', 'return a«!»;', 'f(1)«  as any»'),
        (parts, tail) => {
          const unique = [...new Set(parts)].map((part, i) =>
            part.replace(/\b(pick|later|cast|r|w|h|i|g|o|a|label)\b/g, `$1${i}`),
          );
          const marked = [...unique, tail].join('\n');
          const source = marked.replace(/[«»]/g, '');
          const wanted = marked.replace(/«([^»]*)»/g, (_, type: string) => type.replace(/[^\r\n]/g, ' '));
          if (!/«/.test(marked)) return;
          const program = ok(source);
          expect(program.typescript).toBe(true);
          const emitted = new Set(tokens(program.code).map(({ text: t, at }) => `${at} ${t}`));
          for (const { text: t, at } of tokens(wanted))
            if (!REWRITTEN.has(t)) expect(emitted.has(`${at} ${t}`), `${at} ${t} in\n${program.code}\nof\n${source}`).toBe(true);
          // Nothing of the types is left: the only tokens added are semicolons and the parentheses of a return.
          const known = new Set(tokens(wanted).map(({ text: t, at }) => `${at} ${t}`));
          const added = tokens(program.code.slice(0, source.length))
            .filter(({ text: t, at }) => !known.has(`${at} ${t}`))
            .map((token) => token.text);
          expect(added.filter((t) => !/^[;()]$/.test(t))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['const a = b as T\n(c)', 'const a = b     ;\n(c)'],
    ['let x: T\n[1]', 'let x   ;\n[1]'],
    ['const a = b\ntype X = 1\n;[1]', 'const a = b\n;\n [1]'],
    ['f()\ninterface X {}\n(1)', 'f()\n;             \n(1)'],
  ])('%j ends its statement as before', (source, start) => {
    expect(ok(source).code.replace(/[ ]+$/gm, '').startsWith(start.replace(/[ ]+$/gm, ''))).toBe(true);
  });

  it('types that span lines before an arrow move its parenthesis', () => {
    const { code } = ok('const f = (a: string): Promise<{\n  id: string;\n}> => g(a);\nconst h = async <\n  T,\n>(x: T) => x;');
    expect(() => tokens(code)).not.toThrow();
    expect(code).toMatch(/^const f = \(a {20}\n {13}\n \) => g\(a\);\nconst h = async \(\n {4}\n {2}x {3}\) => x;/);
  });
});

describe('normalise', () => {
  it('throws for no text at all', () => {
    const piece = fc.oneof(
      program,
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '```',
        '```js\n',
        '~~~',
        '{"code":"',
        '"',
        '\\',
        '\\u12',
        '{',
        '}',
        '(',
        '<T>',
        'return',
        'await ',
        '#!',
        '\ufeff',
        '`${',
        '/*',
        '//',
        '\r',
        'enum E {',
        'class A { constructor(private a) ',
        'export default ',
        'import ',
        '@x ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.constantFrom('run', 'session'), (pieces, state) => {
        const source = pieces.join('');
        const result = normalise(source, { state: state as 'run' });
        const site = result.ok ? result.toSource(3, 4) : result.failure.site;
        if (site) {
          expect(site.line).toBeGreaterThan(0);
          expect(site.line).toBeLessThanOrEqual(source.split('\n').length);
          expect(site.column).toBeLessThanOrEqual(source.split('\n')[site.line - 1]!.length + 1);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('clamps positions that no token has', () => {
    const { toSource } = ok('if (x) return 1;\nf()');
    expect(toSource(99, 1)).toEqual({ line: 2, column: 4 });
    expect(toSource(1, 9999)).toEqual({ line: 1, column: 17 });
    expect(toSource(0, 0)).toEqual({ line: 1, column: 1 });
  });

  it('survives a text nested deeper than any stack', () => {
    for (const source of [
      '['.repeat(50_000),
      `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      `x${'.a(y=>'.repeat(20_000)}`,
      `${'if(1){'.repeat(30_000)}`,
      `1${'+1'.repeat(100_000)}`,
    ]) {
      const result = normalise(source);
      if (!result.ok) expect(result.failure.code).toMatch(/^(?:syntax_error|source_too_large)$/);
    }
  });

  it('takes at most a few times as long as the parser alone', () => {
    const source = Array.from(
      { length: 200 },
      (_, i) => `const row${i} = await tools.get({ id: ${i}, tags: ['a', 'b'], f: (x) => x.y?.[${i}] ?? 'none' });`,
    ).join('\n');
    // In turn, the best of each: what else the machine does comes and goes.
    const works = [() => parse(source, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true }), () => normalise(source)];
    const best = works.map(() => Infinity);
    for (let n = 0; n < 60; n++)
      for (const [at, work] of works.entries()) {
        const start = performance.now();
        work();
        best[at] = Math.min(best[at]!, performance.now() - start);
      }
    const [parser, all] = best as [number, number];
    expect(all).toBeLessThan(parser * 4);
  });

  it('finds as many calls and places as a program can hold in the time of a few parses', () => {
    const calls = 'tools.a({x:1})\n'.repeat(16_000);
    const cost = (work: () => unknown): number => {
      const before = process.cpuUsage().user;
      work();
      return process.cpuUsage().user - before;
    };
    const places = (): void => {
      const { toSource } = ok(calls);
      for (let line = 1; line < 16_000; line++) if (toSource(line, 3).line !== line) throw new Error(`line ${line}`);
    };
    const parser = cost(() => parse(calls, { ecmaVersion: 'latest' }));
    // Looking for each of them through the whole text takes a hundred times as long.
    expect(cost(places)).toBeLessThan(parser * 25);
  });

  it.each([
    ['a line of slashes', `${'/'.repeat(120)}\nreturn 1 +`],
    ['many comments', `${'/* a */ // b //\n'.repeat(60)}return 1 +`],
    ['comments behind a lone function', `async function () { return 1 }${' // a // b\n;/* c */'.repeat(60)} +`],
    ['spaces behind the input of a call', `tools.a({}${' '.repeat(200_000)}/**/)`],
    ['spaces in an enum', `enum E { A = 1${' '.repeat(200_000)}+ 1 }\nreturn E.A`],
  ])('is not kept busy by %s', (_, source) => {
    const start = process.cpuUsage().user;
    normalise(source);
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(2_000);
  });

  it('leaves the initializers of an enum where they are, with their calls, types and comments', () => {
    const source = 'enum E { A = tools.len("é") as number,\n  // two\n  B, C = 1 + // three\n    2, T = `x\n  y`.length }\nf()';
    const { code, toSource } = ok(source);
    expect(code).toContain(`tools.len("é",undefined,'01:23')`);
    expect(code).toContain('1 + // three\n    2');
    expect(code.split('\n')).toHaveLength(source.split('\n').length);
    expect(toSource(6, 1)).toEqual({ line: 6, column: 1 });
    const run = new Function('tools', code.replace('f()', 'return E')) as (tools: object) => unknown;
    expect(run({ len: (text: string) => text.length })).toMatchObject({ A: 1, B: 2, C: 3, T: 5 });
  });

  it('says of `using` what to write instead', () => {
    for (const source of ['using x = f(); return 1', 'await using x = f()', '{ using x = f() }']) {
      const result = normalise(source);
      expect(result.ok ? '' : result.failure.message).toMatch(/^`using` is not supported\. Use `const`/);
    }
  });
});
