// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { createTestKit } from '../test-tools/test-kit.ts';
import { TracePanel } from './TracePanel.tsx';
import '../test-tools/load-parts.ts';
import '../test-tools/patience.ts';

afterEach(cleanup);

it('give the focus back to their row when they are closed, by the button and by Escape', async () => {
  const kit = createTestKit();
  const run = kit.run('return 1\n', { title: 'Count' });
  kit.succeed(kit.request(run, 'orders.list', {}), []);
  kit.complete(run, 1);
  render(<TracePanel session={kit.session} />);
  const row = (): HTMLElement => screen.getByRole('treeitem', { name: /^orders\.list/ });
  const details = (): HTMLElement => screen.getByRole('region', { name: 'Details' });
  await userEvent.click(row());
  await userEvent.click(within(details()).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('region', { name: 'Details' })).toBeNull();
  expect(document.activeElement).toBe(row());
  await userEvent.keyboard('{Enter}');
  within(details()).getByRole('button', { name: 'Copy' }).focus();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Details' })).toBeNull();
  expect(document.activeElement).toBe(row());
});

it('close by Escape from the row as well; what stands around the panel hears only the next one', async () => {
  const kit = createTestKit();
  const run = kit.run('return 1\n', { title: 'Count' });
  kit.complete(run, 1);
  const heard: string[] = [];
  render(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what an application has around the panel
    <div onKeyDown={({ key }) => heard.push(key)}>
      <TracePanel session={kit.session} />
    </div>,
  );
  await userEvent.click(screen.getByRole('treeitem', { name: /^Count/ }));
  screen.getByRole('region', { name: 'Details' });
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Details' })).toBeNull();
  expect(heard).toEqual([]);
  await userEvent.keyboard('{Escape}');
  expect(heard).toEqual(['Escape']);
});
