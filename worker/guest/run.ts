/** What the current run allows. Set by `start`; a session's context sees many runs. */
import type { Settings } from './ops.ts';

export let maxCalls = 0;
export let maxInputBytes = 0;
export let maxResultBytes = 0;
export let maxDepth = 0;

/** Lists of settings are read by index: nothing of `Array.prototype` is used. */
export function setLimits(limits: Settings[1]): void {
  maxCalls = limits[0];
  maxInputBytes = limits[1];
  maxResultBytes = limits[2];
  maxDepth = limits[3];
}
