import { afterEach, describe, expect, it, vi } from 'vitest';

const outOfReach = () => {
  throw new Error('404');
};

const fresh = async () => {
  vi.resetModules();
  return import('./load-catalog-runtime.ts');
};

afterEach(() => {
  vi.doUnmock('./catalog-runtime.ts');
});

describe('what a catalogue loads later', () => {
  it('judges later at first, at once from then on', async () => {
    const { catalogRuntime, lazyValidator } = await fresh();
    const validate = lazyValidator(({ createJsonValidator }) => createJsonValidator({ type: 'number' }));
    expect(() => catalogRuntime()).toThrow('loadCatalogRuntime() is done');
    const first = validate(1);
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual({ ok: true, value: 1 });
    expect(validate('x')).toMatchObject({ ok: false });
    expect(lazyValidator(({ createJsonValidator }) => createJsonValidator({ type: 'string' }))('x')).toEqual({
      ok: true,
      value: 'x',
    });
  });

  it('accepts nothing while it is out of reach, and is asked for again', async () => {
    const { lazyValidator, loadCatalogRuntime } = await fresh();
    vi.doMock('./catalog-runtime.ts', outOfReach);
    const validate = lazyValidator(({ createJsonValidator }) => createJsonValidator({ type: 'number' }));
    expect(await validate(1)).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('could not be loaded') }] });
    await expect(loadCatalogRuntime()).rejects.toThrow(Error);
    vi.doUnmock('./catalog-runtime.ts');
    expect(await validate(1)).toEqual({ ok: true, value: 1 });
  });
});
