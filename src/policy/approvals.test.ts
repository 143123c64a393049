import { expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { ApprovalQueue, type PendingApproval } from './approvals.ts';

type Settled = Awaited<ReturnType<PendingApproval['settle']>>;

/** One waiting call whose decision is being checked until `settle` is called. */
function waiting(expiresAt?: number) {
  const clock = createFakeClock(0);
  const queue = new ApprovalQueue(clock.now);
  let settle: (result: Settled) => void = () => {};
  const ended = queue.wait({
    id: 'c',
    runId: 'r',
    tool: 't',
    input: '{}',
    ...(expiresAt !== undefined && { expiresAt }),
    settle: () =>
      new Promise((resolve) => {
        settle = resolve;
      }),
  });
  return { clock, queue, ended, settle: (result: Settled) => settle(result) };
}

it('expires a call whose time ran out while a decision was checked that was then refused', async () => {
  const { clock, queue, ended, settle } = waiting(100);
  const receipt = queue.decide('c', { kind: 'allow', input: 'unfit' });
  clock.advance(200);
  expect(queue.close('c', 'expired')).toBe(false);
  settle({ applied: false, why: 'invalid_input' });
  expect(await receipt).toEqual({ applied: false, why: 'expired' });
  expect(await ended).toEqual({ kind: 'expired' });
  expect(queue.pending).toEqual([]);
});

it('says that the run ended when it did so under a decision, whatever the decision was', async () => {
  const { queue, ended, settle } = waiting();
  const receipt = queue.decide('c', { kind: 'allow' });
  queue.close('c', 'ended');
  settle({ applied: false, why: 'invalid_input' });
  expect(await receipt).toEqual({ applied: false, why: 'ended' });
  expect(await ended).toEqual({ kind: 'ended' });
});

it('ends a call whose decision could not be recorded, and tells the one who decided', async () => {
  const { queue, ended, settle } = waiting();
  const receipt = queue.decide('c', { kind: 'allow' });
  const error = new Error('full');
  settle({ kind: 'unrecorded', error });
  await expect(receipt).rejects.toBe(error);
  expect(await ended).toEqual({ kind: 'unrecorded', error });
  expect(await queue.decide('c', { kind: 'allow' })).toEqual({ applied: false, why: 'already_decided' });
});
