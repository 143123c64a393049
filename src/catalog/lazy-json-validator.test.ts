import { afterEach, describe, expect, it, vi } from 'vitest';

const outOfReach = () => {
  throw new Error('404');
};

const fresh = async () => {
  vi.resetModules();
  return import('./lazy-json-validator.ts');
};

afterEach(() => {
  vi.doUnmock('./json-validator.ts');
});

describe('a validator that is loaded later', () => {
  it('answers later at first, at once from then on', async () => {
    const { lazyJsonValidator } = await fresh();
    const validate = lazyJsonValidator({ type: 'number' });
    const first = validate(1);
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual({ ok: true, value: 1 });
    expect(validate('x')).toMatchObject({ ok: false });
    expect(lazyJsonValidator({ type: 'string' })('x')).toEqual({ ok: true, value: 'x' });
  });

  it('accepts nothing while it is out of reach, and is asked for again', async () => {
    const { lazyJsonValidator, loadJsonValidator } = await fresh();
    vi.doMock('./json-validator.ts', outOfReach);
    const validate = lazyJsonValidator({ type: 'number' });
    expect(await validate(1)).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('could not be loaded') }] });
    await expect(loadJsonValidator()).rejects.toThrow();
    vi.doUnmock('./json-validator.ts');
    expect(await validate(1)).toEqual({ ok: true, value: 1 });
  });
});
