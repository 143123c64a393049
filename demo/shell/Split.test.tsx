// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { SPLIT } from './preferences.ts';
import { Split } from './Split.tsx';

afterEach(cleanup);

function Half(): React.ReactElement {
  const [share, setShare] = useState<number>(50);
  return <Split share={share} onShare={setShare} first="left" second="right" />;
}

it('moves the divider by keys, within its bounds, and sets it back', async () => {
  const user = userEvent.setup();
  render(<Half />);
  await user.tab();
  const divider = screen.getByRole('separator', { name: 'Width of the two sides' });
  expect(document.activeElement).toBe(divider);
  const now = (): number => Number(divider.getAttribute('aria-valuenow'));
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(now()).toBe(46);
  await user.keyboard('{Home}{ArrowLeft}');
  expect(now()).toBe(SPLIT.min);
  await user.keyboard('{End}{ArrowRight}');
  expect(now()).toBe(SPLIT.max);
  await user.keyboard('{Enter}');
  expect(now()).toBe(SPLIT.initial);
});
