// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { inAct } from '../test-tools/in-act.ts';
import { createTestKit, type TestKit } from '../test-tools/test-kit.ts';
import { GrantList } from './GrantList.tsx';
import '../test-tools/patience.ts';

afterEach(cleanup);

function granted(kit: TestKit, id: string, match: 'tool' | { rule: string }): void {
  kit.emit('grant.created', { grantId: id, tool: 'payments.transfer', definitionHash: 'h', scope: 'session', match, words: '' });
}

describe('the list of permissions', () => {
  it('says in words what may run without asking, and takes it back', async () => {
    const kit = createTestKit();
    render(<GrantList session={kit.session} />);
    expect(screen.getByText('No permission is in force: every call that needs one asks.')).toBeTruthy();
    inAct(() => granted(kit, 'g1', { rule: 'amount <= 50' }));
    inAct(() => granted(kit, 'g2', 'tool'));
    const words = 'payments.transfer where amount <= 50, for this session';
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain(words);
    await userEvent.click(screen.getByRole('button', { name: `Revoke: ${words}` }));
    expect(kit.session.store.getState().grants.map(({ id }) => id)).toEqual(['g2']);
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Permissions' }));
    expect(screen.getByRole('status').textContent).toBe(`Revoked: ${words}. Calls that have not started ask again.`);
  });

  it('says when the application could not forget it', async () => {
    const kit = createTestKit();
    Object.assign(kit.session.grants, {
      revoke: async () => {
        throw new Error('the server is away');
      },
    });
    render(<GrantList session={kit.session} />);
    inAct(() => granted(kit, 'g1', 'tool'));
    await userEvent.click(screen.getByRole('button', { name: /^Revoke/ }));
    expect(screen.getByRole('status').textContent).toContain('could not forget it: the server is away');
  });
});
