// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { TabPanel, Tabs } from './Tabs.tsx';

afterEach(cleanup);

function Three(): React.ReactElement {
  const [selected, select] = useState<'a' | 'b' | 'c'>('a');
  return (
    <>
      <Tabs
        name="t"
        label="Parts"
        selected={selected}
        onSelect={select}
        tabs={[
          { id: 'a', label: 'Alpha' },
          { id: 'b', label: 'Beta', count: 2 },
          { id: 'c', label: 'Gamma' },
        ]}
      />
      <TabPanel scrolls name="t" selected={selected}>
        {selected}
      </TabPanel>
    </>
  );
}

describe('tabs', () => {
  it('are one stop of the Tab key; arrows, Home and End select and move the focus', async () => {
    const user = userEvent.setup();
    render(<Three />);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Alpha' }));
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Gamma', selected: true }));
    await user.keyboard('{Home}{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Beta 2', selected: true }));
    await user.keyboard('{End}');
    expect(screen.getByRole('tabpanel', { name: 'Gamma' }).textContent).toBe('c');
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  });

  it('turn their arrows round where text runs from right to left', async () => {
    const user = userEvent.setup();
    render(
      <div style={{ direction: 'rtl' }}>
        <Three />
      </div>,
    );
    await user.tab();
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByRole('tab', { selected: true }).textContent).toContain('Beta');
  });
});
