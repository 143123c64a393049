import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { checkCodeModeOptions, checkRunOptions, checkSessionOptions, resolveLimits } from './options.ts';

const refusal = (act: () => void): unknown => {
  try {
    act();
    return 'accepted';
  } catch (error) {
    const { code, data, message } = error as { code: string; data: { path: string }; message: string };
    return { code, path: data.path, message };
  }
};

describe('options', () => {
  it.each([
    [undefined, ''],
    [[], 'tools'],
    [{}, 'tools'],
    [{ tools: [], tool: [] }, 'tool'],
    [{ tools: [], onToolCall: true }, 'onToolCall'],
    [{ tools: [], limits: { timeoutMs: 0 } }, 'limits.timeoutMs'],
    [{ tools: [], limits: { timeOutMs: 1 } }, 'limits.timeOutMs'],
    [{ tools: [], limits: { maxCalls: Number.NaN } }, 'limits.maxCalls'],
    [{ tools: [], policy: [{ effect: 'permit' }] }, 'policy[0].effect'],
    [{ tools: [], policy: [{ effect: 'allow', whenn: () => true }] }, 'policy[0].whenn'],
    [{ tools: [], state: 'global' }, 'state'],
    [{ tools: [], executor: {} }, 'executor'],
  ])('refuses %j and names %s', (options, path) => {
    expect(refusal(() => checkCodeModeOptions(options))).toMatchObject({ code: 'invalid_options', path });
  });

  it('shows a number in quotes as one', () => {
    expect(refusal(() => resolveLimits({ timeoutMs: '5' as never }))).toMatchObject({
      message: 'limits: `limits.timeoutMs` must be a positive number, it is "5".',
    });
  });

  it('takes a value that is undefined for one that is absent', () => {
    expect(() => checkCodeModeOptions({ tools: [], limits: undefined, onToolCall: undefined })).not.toThrow();
    expect(resolveLimits({ timeoutMs: undefined, maxCalls: 5 })).toEqual({ ...DEFAULT_LIMITS, maxCalls: 5 });
  });

  it('refuses a program that is no text before anything runs', () => {
    expect(refusal(() => checkRunOptions(42, {}))).toMatchObject({ code: 'invalid_options', path: 'code' });
    expect(refusal(() => checkRunOptions('1', { ttle: 'x' }))).toMatchObject({ path: 'ttle' });
    expect(refusal(() => checkSessionOptions({ signal: {} }))).toMatchObject({ path: 'signal' });
  });
});
