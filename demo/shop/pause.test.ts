import { describe, expect, it } from 'vitest';
import { createPause } from './pause.ts';

describe('a pause', () => {
  it('ends with the reason as soon as the call is aborted', async () => {
    const abort = new AbortController();
    const pausing = createPause()([60_000, 60_000], abort.signal);
    abort.abort('the run was cancelled');
    await expect(pausing).rejects.toBe('the run was cancelled');
  });

  it('does not begin when the call was aborted before', async () => {
    await expect(createPause(0)([1, 2], AbortSignal.abort('too late'))).rejects.toBe('too late');
  });

  it('ends by itself', async () => {
    await expect(createPause(0)([1, 2], new AbortController().signal)).resolves.toBeUndefined();
  });
});
