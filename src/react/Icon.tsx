'use client';
import type { ReactElement } from 'react';

/** One small set, 16 × 16, drawn with the current colour. */
const PATHS = {
  read: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Zm6.5 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  write: 'M10.5 2.5l3 3-8 8H2.5v-3l8-8Zm-2 2 3 3',
  danger: 'M8 2 1.5 13.5h13L8 2Zm0 4.5v3.5m0 1.8v.2',
  succeeded: 'M2.5 8.5 6 12l7.5-8',
  failed: 'M3.5 3.5l9 9m0-9-9 9',
  denied: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4',
  cancelled: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5 8h6',
  interrupted: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3.5m0 2.3v.2',
  replayed: 'M3 8a5 5 0 1 0 1.7-3.8M3 2.5v3h3',
  running: 'M8 2a6 6 0 1 1-6 6',
  waiting: 'M5 3v10m6-10v10',
  queued: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3.2l2 1.3',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  console: 'M2.5 4 6.5 8l-4 4M8 12.5h5.5',
  emit: 'M2.5 8h8M7 4.5 10.5 8 7 11.5M13.5 3v10',
  warning: 'M8 2 1.5 13.5h13L8 2Zm0 4.5v3.5m0 1.8v.2',
  result: 'M13.5 3.5v4a2 2 0 0 1-2 2h-8M6 6.5l-3 3 3 3',
  run: 'M4.5 2.8v10.4L13 8 4.5 2.8Z',
  parallel: 'M2 8h3c2 0 2-4.5 4-4.5h5M5 8c2 0 2 4.5 4 4.5h5M5 8h9',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  export: 'M8 2v8m-3-3 3 3 3-3M2.5 13.5h11',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  close: 'M3.5 3.5l9 9m0-9-9 9',
  next: 'M8 3v9m-4-4 4 4 4-4',
  cut: 'M3 8h.1M8 8h.1M13 8h.1',
  first: 'M12.5 3 6 8l6.5 5M3.5 3v10',
  previous: 'M10.5 3.5 5 8l5.5 4.5',
  following: 'M5.5 3.5 11 8l-5.5 4.5',
  last: 'M3.5 3 10 8l-6.5 5M12.5 3v10',
  travel: 'M8 4.5V8l2.5 1.5M2.5 8a5.5 5.5 0 1 0 1.900-4.100M2.5 2.5v3h3',
  quote:
    'M3 11.5c1.5-.5 2.5-1.7 2.5-3.5H3V4.5h3.5V8c0 2.5-1.300 4.5-3.5 5M9.5 11.5c1.5-.5 2.5-1.700 2.5-3.5H9.5V4.5H13V8c0 2.5-1.300 4.5-3.5 5',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a word; never alone, so it is hidden from assistive technology. Its own size is for pages without the stylesheet. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="cm-icon" data-icon={name} width={14} height={14} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

const elements = new Map<IconName, ReactElement>();

/** The same element for the same icon: React need not look into it again, and no component stands between. */
export function iconElement(name: IconName): ReactElement {
  let element = elements.get(name);
  if (!element) elements.set(name, (element = Icon({ name })));
  return element;
}
