import { describe, expect, it, vi } from 'vitest';
import { lazyPart } from './lazy-part.ts';

describe('a part that is loaded later', () => {
  it('is loaded once, by whoever asks first', async () => {
    const source = vi.fn(() => Promise.resolve('view'));
    const part = lazyPart(source);
    expect(part.getSnapshot()).toEqual({ status: 'absent' });
    const first = part.load();
    expect(part.getSnapshot()).toEqual({ status: 'loading' });
    await Promise.all([first, part.load()]);
    await part.load();
    expect(part.getSnapshot()).toEqual({ status: 'ready', value: 'view' });
    expect(source).toHaveBeenCalledTimes(1);
  });

  it('does not reject when it is out of reach, and is asked for again by the next who needs it', async () => {
    const source = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('404')).mockResolvedValueOnce('view');
    const part = lazyPart(source);
    const seen: string[] = [];
    const stop = part.subscribe(() => seen.push(part.getSnapshot().status));
    await part.load();
    await part.load();
    stop();
    expect(seen).toEqual(['loading', 'failed', 'loading', 'ready']);
  });
});
