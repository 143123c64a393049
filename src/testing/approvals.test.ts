import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestKit } from '../react/test-tools/test-kit.ts';
import { approve, deny, nextApproval } from './approvals.ts';
import { testGuard } from './test-guard.ts';
import { callById } from '../store/calls.ts';

afterEach(() => vi.unstubAllEnvs());

describe('approve and deny', () => {
  it('allow a waiting call once, bound to the input that was shown', async () => {
    const kit = createTestKit();
    const call = kit.request(kit.run('x'), 'mail.send', { to: 'a' });
    kit.ask(call);
    expect(await approve(kit.session, call)).toEqual({ applied: true });
    expect(kit.decisions).toEqual([
      { callId: call, decision: { kind: 'allow', scope: 'once', inputDigest: 'digest of {"to":"a"}' } },
    ]);
  });

  it('deny with a reason', async () => {
    const kit = createTestKit();
    const call = kit.request(kit.run('x'), 'mail.send', {});
    kit.ask(call);
    await deny(kit.session, call, 'not today');
    expect(callById(kit.session.store.getState(), call)).toMatchObject({
      status: 'denied',
      approval: { decisionReason: 'not today' },
    });
  });

  it('say that a late decision changed nothing', async () => {
    const kit = createTestKit();
    const call = kit.request(kit.run('x'), 'mail.send', {});
    expect(await approve(kit.session, call)).toEqual({ applied: false, why: 'ended' });
  });
});

describe('nextApproval', () => {
  it('waits for the first call that asks', async () => {
    const kit = createTestKit();
    const next = nextApproval(kit.session);
    const call = kit.request(kit.run('x'), 'mail.send', {});
    kit.ask(call);
    expect(await next).toBe(call);
  });

  it('says after its time that nothing asked', async () => {
    await expect(nextApproval(createTestKit().session, 10)).rejects.toThrow('waited for approval within 10 ms');
  });
});

describe('testGuard', () => {
  it('is refused by a production build', () => {
    expect(testGuard()).toEqual({ periodMs: 0, acceptsUntrusted: true });
    vi.stubEnv('NODE_ENV', 'production');
    expect(testGuard).toThrow('production build');
  });
});
