import type { ReactElement } from 'react';

/** One set: 16 px, 1.5 px strokes, round ends. */
const PATHS = {
  run: 'M5 3.2v9.6a.6.6 0 0 0 .9.5l7.4-4.8a.6.6 0 0 0 0-1L5.9 2.700a.6.6 0 0 0-.9.5z',
  stop: 'M4.5 4h7a.5.5 0 0 1 .5.5v7a.5.5 0 0 1-.5.5h-7a.5.5 0 0 1-.5-.5v-7a.5.5 0 0 1 .5-.5z',
  send: 'M8 13V3.500M4 7.500l4-4 4 4',
  reset: 'M3 3v3.500h3.500M3.3 6.500a5 5 0 1 1-.2 2.8',
  settings: 'M2 4.500h6M11.5 4.500H14M2 11.500h2.500M8 11.500h6M9.75 2.750v3.500M6.25 9.750v3.5',
  program: 'M5.5 4.5 2 8l3.5 3.500M10.5 4.5 14 8l-3.5 3.5',
  chat: 'M2.5 3.500h11v7.500H7l-3 2.500V11H2.500z',
  trace: 'M2.5 4h7M5 8h8.500M5 12h5',
  alert: 'M8 2 1.5 13.500h13zM8 6.500v3M8 11.500v.1',
  failed: 'M4 4l8 8M12 4l-8 8',
  done: 'M3 8.5 6.5 12 13 4.5',
  approval: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.5 8l1.800 1.800L10.5 6.500',
  key: 'M6.5 9.5 12.5 3.500M10.5 5.500l2 2M8.5 7.500l1.5 1.500M6.5 11a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  clear: 'M3 4.500h10M6.5 4.500V3h3v1.500M4.5 4.5 5 13.500h6l.5-9',
  copy: 'M5.5 5.500h8v8h-8zM3 10.500H2.500v-8h8V3',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word; never the word itself, so it is hidden from assistive technology. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" data-icon={name}>
      <path d={PATHS[name]} />
    </svg>
  );
}
