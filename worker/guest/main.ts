/**
 * The prelude: evaluated in a fresh context before any program, when nobody has changed the language yet. Gives the host
 * one function. Order matters: everything of the language is captured by the imports, then the globals are installed.
 */
import { countBytesWith } from '../../src/protocol/codec-bytes.ts';
import { reject, resetCalls, resolve } from './calls.ts';
import { installClock, resetClock } from './clock.ts';
import { installConsole, resetConsole } from './console.ts';
import { installGlobals } from './globals.ts';
import { byteLength } from './host.ts';
import { OP, type Settings } from './ops.ts';
import { parseJson } from './primordials.ts';
import { installRandom, seed } from './random.ts';
import { resetReport, takeReport } from './report.ts';
import { conclude, fail, resetResult, takeValue } from './result.ts';
import { setLimits } from './run.ts';
import { fire, installTimers, resetTimers } from './timers.ts';
import { installTools } from './tools.ts';

function start(settings: Settings): void {
  seed(settings[0]);
  setLimits(settings[1]);
  resetReport(settings[1][4]);
  resetCalls();
  resetClock();
  resetConsole();
  resetResult();
  resetTimers();
  installTools(settings[2]);
}

/** What the host calls. @returns text for `collect`, a number otherwise */
export default function guest(op: number, a: unknown, b: unknown): string | number {
  switch (op) {
    case OP.start:
      start(parseJson(a as string) as Settings);
      return 0;
    case OP.resolve:
      resolve(a as number, b as string, true);
      return 0;
    case OP.resolvePlain:
      resolve(a as number, b as string, false);
      return 0;
    case OP.reject:
      reject(a as number, b as string);
      return 0;
    case OP.fire:
      return fire(a as number) ? 1 : 0;
    case OP.conclude:
      conclude(a as { value: unknown }, b as number);
      return 0;
    case OP.fail:
      fail(a);
      return 0;
    default:
      return takeReport(takeValue());
  }
}

countBytesWith(byteLength);
installClock();
installRandom();
installTimers();
installConsole();
installGlobals();
