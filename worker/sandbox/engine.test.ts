import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadWasm } from '../variant.ts';
import { createMemory } from './engine-memory.ts';
import { ENGINE_NAME, instantiate, loadEngine } from './engine.ts';
import { MemoryImage } from './memory-image.ts';
import { GuestThrow, Realm } from './realm.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';
import { decodeText, encodeInto, encodeText } from './texts.ts';

const MIB = 1024 * 1024;
const powers = { answer: (op: number, text: string) => (op === 0 ? 7 : text), interrupt: () => false };

describe('text of the engine', () => {
  const anyText = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 60,
  });

  test('is exact in both directions for every sequence of units', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeText(encodeText(text))).toBe(text);
      }),
    );
    expect(decodeText(encodeText('\uFEFF\uD800\uDC00\uDC00\uD800'))).toBe('\uFEFF\uD800\uDC00\uDC00\uD800');
  });

  test('is UTF-8 where it is well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(encodeText(text)).toEqual(new TextEncoder().encode(text));
        const target = new Uint8Array(40);
        const written = encodeInto(text, target);
        if (written >= 0) expect(target.slice(0, written)).toEqual(new TextEncoder().encode(text));
      }),
    );
    expect(encodeInto('\uD800', new Uint8Array(9))).toBe(-1);
    expect(encodeInto('üü', new Uint8Array(3))).toBe(-1);
  });

  test('passes through a string value, short and long', async () => {
    const realm = new Realm(await loadEngine({ memoryBytes: 16 * MIB }), powers);
    for (const text of ['', 'a', 'ü\uD800\uFEFF', 'x'.repeat(16_383), 'x'.repeat(16_384), '€'.repeat(20_000)]) {
      const value = realm.newString(text);
      expect(realm.text(value)).toBe(text);
      realm.free(value);
    }
    realm.dispose();
  });
});

describe('the engine', () => {
  test('is the pinned one', () => {
    const { version } = JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/package.json'), 'utf8'),
    ) as { version: string };
    expect(ENGINE_NAME).toContain(`quickjs-emscripten ${version},`);
  });

  test('knows where its memory ends, exactly enough to tell that it was full', async () => {
    const engine = await loadEngine({ memoryBytes: 16 * MIB });
    const before = engine.heapTop!();
    const block = engine.heap._malloc(5 * MIB);
    expect(engine.heapTop!() - before).toBeGreaterThanOrEqual(5 * MIB);
    expect(engine.heapTop!() - before).toBeLessThan(6 * MIB);
    engine.heap._free(block);
    expect(engine.wasFull()).toBe(false);
    while (engine.heap._malloc(64 * 1024) !== 0);
    while (engine.heap._malloc(64) !== 0);
    expect(engine.wasFull()).toBe(true);
  });

  test('survives growth in the middle of a job, in a memory that grows', async () => {
    const engine = await instantiate(await WebAssembly.compile(await loadWasm()), createMemory(2048 * MIB));
    const before = engine.heap.HEAPU8.length;
    const realm = new Realm(engine, powers);
    const main = realm.evalProgram('await null; const a = []; for (let i = 0; i < 600000; i++) a.push({ i }); a.length');
    while (realm.hasJobs()) realm.runJobs(10);
    expect(realm.promiseState(main)).toBe('fulfilled');
    realm.free(main);
    realm.dispose();
    expect(engine.heap.HEAPU8.length).toBeGreaterThan(before);
  });

  test('answers the guest, and hands exceptions over as values', async () => {
    const realm = new Realm(await loadEngine({ memoryBytes: 16 * MIB }), powers);
    const create = realm.evalPrelude('(function (host) { return (a) => a === "throw" ? missing : host(0) + host(1, a) })');
    const host = realm.hostFunction();
    const guest = realm.call(create, host);
    const [text, order] = [realm.newString('ü'), realm.newString('throw')];
    const answer = realm.call(guest, text);
    expect(realm.text(answer)).toBe('7ü');
    expect(() => realm.call(guest, order)).toThrow(GuestThrow);
    for (const value of [create, host, guest, text, order, answer]) realm.free(value);
  });

  test('comes back from its memory image as it was', async () => {
    const engine = await loadEngine({ memoryBytes: 16 * MIB });
    const realm = new Realm(engine, powers);
    const guest = realm.evalPrelude('(function () { let n = 0; return () => ++n })');
    const count = realm.call(guest);
    const image = MemoryImage.take(engine.heap, engine.heapTop!());
    const next = (): number => {
      const value = realm.call(count);
      const n = realm.number(value);
      realm.free(value);
      return n;
    };
    for (let round = 0; round < 10; round++) {
      expect([next(), next(), next()]).toEqual([1, 2, 3]);
      const main = realm.evalProgram(
        `globalThis.big = Array.from({ length: ${round * 5_000} }, (_, i) => ({ i, s: 'x' + i })); await new Promise(() => {})`,
      );
      expect(realm.promiseState(main)).toBe('pending');
      const secret = engine.heapTop!();
      image.restore(secret);
      expect(
        Buffer.from(engine.heap.HEAPU8.subarray(engine.heapTop!(), secret)).equals(Buffer.alloc(secret - engine.heapTop!())),
      ).toBe(true);
    }
    expect(image.byteLength).toBeLessThan(2 * MIB);
  }, 30_000);
});

/** Each must leave what the first one left, so one that leaves something shows at once; `FULL=1` runs more. */
const PROGRAMS = process.env['FULL'] === '1' ? 300 : 100;

describe('many programs in one sandbox', () => {
  test(`${PROGRAMS} programs with calls, failures and abandoned promises leave nothing behind`, async () => {
    const sandbox = await createTestSandbox({ memoryBytes: 16 * MIB });
    const handlers = { a: (input: unknown) => input, boom: () => Promise.reject(new Error('x')) };
    const source = `tools.a({ left: 1 }); new Promise(() => {}); const r = await tools.a({ n: 1 }); let m; try { await tools.boom() } catch (e) { m = e.message } console.log(r); [r.n, m]`;
    const peaks: number[] = [];
    for (let i = 0; i < PROGRAMS; i++) {
      const { value, reply } = await drive(sandbox, source, handlers);
      expect(value).toEqual([1, 'x']);
      peaks.push(reply.peakMemoryBytes);
    }
    expect(new Set(peaks.slice(1)).size).toBe(1);
    expect(sandbox.spent).toBe(false);
  }, 30_000);

  test('300 contexts that are freed one by one leave no gap either', async () => {
    const engine = await loadEngine({ memoryBytes: 16 * MIB });
    const once = (): void => {
      const realm = new Realm(engine, powers);
      const main = realm.evalProgram('const p = new Promise(() => {}); p.then(() => 1); globalThis.f = () => p; await p');
      realm.free(main);
      realm.dispose();
    };
    once();
    const top = engine.heapTop!();
    for (let i = 0; i < 300; i++) once();
    expect(engine.heapTop!()).toBe(top);
  });

  test('out of memory twelve times in a row, then an ordinary program', async () => {
    const sandbox = await createTestSandbox({ memoryBytes: 16 * MIB });
    const limits = {
      timeoutMs: 30_000,
      memoryBytes: 16 * MIB,
      maxOutputBytes: 1e6,
      maxInputBytes: 1e6,
      maxResultBytes: 1e6,
      maxCalls: 10,
      maxDepth: 100,
    };
    const source = `let caught = 0; for (let i = 0; i < 12; i++) { try { const keep = []; while (true) keep.push(new ArrayBuffer(1048576)) } catch { caught++ } } caught`;
    expect((await drive(sandbox, source, {}, { limits: limits as never })).value).toBe(12);
  }, 30_000);

  test('a result of 10 MB goes in and out', async () => {
    const sandbox = await createTestSandbox({ memoryBytes: 128 * MIB });
    const rows = Array.from({ length: 60_000 }, (_, id) => ({
      id,
      name: `customer number ${id}`,
      note: 'lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor',
      total: id / 2,
    }));
    const { value, reply } = await drive(
      sandbox,
      'const rows = await tools.rows(); rows',
      { rows: () => rows },
      {
        limits: {
          timeoutMs: 60_000,
          memoryBytes: 128 * MIB,
          maxOutputBytes: 1e6,
          maxInputBytes: 1e6,
          maxResultBytes: 16 * MIB,
          maxCalls: 10,
          maxDepth: 200,
        } as never,
      },
    );
    expect(reply.status === 'completed' && reply.value!.length).toBeGreaterThan(8_000_000);
    expect(value).toEqual(rows);
    expect((await drive(sandbox, '1')).reply).toMatchObject({ value: '1' });
  }, 60_000);
});
