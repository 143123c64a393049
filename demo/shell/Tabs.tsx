import { type KeyboardEvent, type ReactElement, type ReactNode, useId } from 'react';

export interface Tab<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Small count behind the label. */
  readonly count?: number;
}

export interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly selected: T;
  onSelect(tab: NoInfer<T>): void;
  readonly className?: string;
  /** Ids of tabs and panel start with it; give the same to `TabPanel`. */
  readonly name: string;
}

/** A row of tabs with one tab stop; arrows, Home and End move and select. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, className, name }: TabsProps<T>): ReactElement {
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = target(
      event,
      tabs.findIndex((tab) => tab.id === selected),
      tabs.length,
    );
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    event.currentTarget.querySelector<HTMLElement>(`#${tabId(name, tab.id)}`)?.focus();
  };
  return (
    <div role="tablist" tabIndex={-1} aria-label={label} className={`tabs ${className ?? ''}`} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={tabId(name, tab.id)}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={`${name}-panel`}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.icon}
          <span>{tab.label}</span>
          {tab.count ? <span className="count">{tab.count}</span> : null}
        </button>
      ))}
    </div>
  );
}

export interface TabPanelProps {
  readonly name: string;
  readonly selected: string;
  /** The panel itself scrolls, so it must be reachable by keyboard. */
  readonly scrolls?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** What the selected tab shows. */
export function TabPanel({ name, selected, scrolls, className, children }: TabPanelProps): ReactElement {
  return (
    <div
      role="tabpanel"
      id={`${name}-panel`}
      aria-labelledby={tabId(name, selected)}
      className={className}
      tabIndex={scrolls ? 0 : undefined}
    >
      {children}
    </div>
  );
}

/** A name for one row of tabs. */
export function useTabsName(): string {
  return `tabs${useId().replaceAll(/[^\w-]/g, '')}`;
}

function tabId(name: string, tab: string): string {
  return `${name}-${tab}`;
}

function target(event: KeyboardEvent, at: number, length: number): number | undefined {
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case forward:
      return (at + 1) % length;
    case back:
      return (at + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
