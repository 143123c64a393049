import caughtFailure from './examples/caught-failure.txt?raw';
import consoleOutput from './examples/console.txt?raw';
import deadlock from './examples/deadlock.txt?raw';
import endlessLoop from './examples/endless-loop.txt?raw';
import mails from './examples/mails.txt?raw';
import refundLoop from './examples/refund-loop.txt?raw';
import slowExport from './examples/slow-export.txt?raw';
import threeAtOnce from './examples/three-at-once.txt?raw';
import typescript from './examples/typescript.txt?raw';
import wholeYear from './examples/whole-year.txt?raw';
import wrongInput from './examples/wrong-input.txt?raw';

/** A program of the examples menu. */
export interface Example {
  readonly id: string;
  readonly label: string;
  readonly group: 'Approvals' | 'Data' | 'Failures';
  readonly source: string;
}

/** In the order of the menu; the first one is what the playground opens with. */
export const EXAMPLES: readonly Example[] = [
  { id: 'three-at-once', label: 'Three calls at once, one waits for you', group: 'Approvals', source: threeAtOnce },
  { id: 'refund-loop', label: 'Refund late parcels in a loop', group: 'Approvals', source: refundLoop },
  { id: 'mails', label: 'Three mails in one queue', group: 'Approvals', source: mails },
  { id: 'whole-year', label: 'A year of orders, one short answer', group: 'Data', source: wholeYear },
  { id: 'typescript', label: 'TypeScript: what to reorder', group: 'Data', source: typescript },
  { id: 'console', label: 'Console output between calls', group: 'Data', source: consoleOutput },
  { id: 'slow-export', label: 'Slow tools with progress', group: 'Data', source: slowExport },
  { id: 'caught-failure', label: 'A failing tool, caught', group: 'Failures', source: caughtFailure },
  { id: 'wrong-input', label: 'A wrong field name', group: 'Failures', source: wrongInput },
  { id: 'endless-loop', label: 'An endless loop', group: 'Failures', source: endlessLoop },
  { id: 'deadlock', label: 'A promise that never settles', group: 'Failures', source: deadlock },
];

/** The groups of the menu, in order. */
export const GROUPS = ['Approvals', 'Data', 'Failures'] as const;

/** The first example, always there. */
export const FIRST_EXAMPLE = EXAMPLES[0] as Example;
