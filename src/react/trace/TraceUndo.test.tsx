// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SOURCE } from '../test-tools/asked.tsx';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit } from '../test-tools/test-kit.ts';
import { TracePanel } from './TracePanel.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

function finished(): ReturnType<typeof createTestKit> {
  const kit = createTestKit();
  kit.undoPlan = {
    calls: [{ callId: 'run-1:2', tool: 'orders.cancel' }],
    stays: [{ callId: 'run-1:1', tool: 'mail.send', why: 'no_revert' }],
  };
  render(<TracePanel session={kit.session} />);
  inAct(() => {
    const run = kit.run(SOURCE);
    for (const tool of ['mail.send', 'orders.cancel']) {
      const call = kit.request(run, tool, {});
      kit.start(call);
      kit.succeed(call, {});
    }
    kit.complete(run);
  });
  return kit;
}

describe('undo in the trace', () => {
  it('first shows what goes and what stays; a second press does it and says how it went', async () => {
    const kit = finished();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo…' }));
    const part = document.querySelector<HTMLElement>('[data-part="undo"]')!;
    expect(
      within(part)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['orders.cancel', 'mail.send has no undo']);
    expect(kit.undos).toEqual([]);
    await userEvent.click(within(part).getByRole('button', { name: 'Undo 1 call' }));
    expect(kit.undos).toEqual(['run-1']);
    expect(document.activeElement).toBe(part);
    expect(await within(part).findByText('Undone.')).toBeTruthy();
  });

  it('is not offered while a run goes on, nor where nothing can be undone', async () => {
    const kit = createTestKit();
    render(<TracePanel session={kit.session} />);
    inAct(() => kit.run(SOURCE));
    expect(await screen.findByRole('tree')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo…' })).toBeNull();
  });
});
