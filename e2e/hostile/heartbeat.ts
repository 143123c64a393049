/**
 * Is the page alive? A beat every 16 ms must go on at a quarter of the pace it has beside a plain worker that keeps one core
 * busy, and no long animation frame may be the work of our own scripts.
 */

/** Milliseconds between two beats: one frame. */
const BEAT_MS = 16;
const LEAST_SHARE = 0.25;
/** With fewer beats due nothing can be said about their pace. */
const LEAST_BEATS = 10;
/** Frames shorter than this nobody notices. Milliseconds. */
const LONG_MS = 50;
const CONTROL_MS = 400;

export interface Pulse {
  /** Beats a second; absent when the time was too short for it. */
  readonly pace?: number;
  /** What one of our scripts took at most of a long animation frame, without a chance for anything else, ms. */
  readonly longest: number;
  /** What it was: function and file. */
  readonly culprit: string;
}

interface LongFrame extends PerformanceEntry {
  readonly scripts: readonly { readonly duration: number; readonly sourceURL: string; readonly sourceFunctionName: string }[];
}

/** Takes the pulse of the page until the returned function is called. */
export function takePulse(): () => Promise<Pulse> {
  let beats = 0;
  let longest = 0;
  let culprit = '';
  const began = performance.now();
  const note = (entries: PerformanceEntryList): void => {
    for (const { scripts } of entries as readonly PerformanceEntry[] as readonly LongFrame[]) {
      for (const { duration, sourceFunctionName, sourceURL } of scripts) {
        const ours = /\/src\/(?!testing)/.test(new URL(sourceURL, 'http://none/').pathname);
        if (!ours || duration <= longest) continue;
        longest = duration;
        culprit = `${sourceFunctionName} (${sourceURL})`;
      }
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'long-animation-frame' });
  const timer = setInterval(() => beats++, BEAT_MS);
  return async () => {
    clearInterval(timer);
    const ms = performance.now() - began;
    const pace = ms < LEAST_BEATS * BEAT_MS ? {} : { pace: (beats / ms) * 1_000 };
    // A frame is reported after it was shown.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    note(observer.takeRecords());
    observer.disconnect();
    return { ...pace, longest, culprit };
  };
}

/** The pace beside a worker that computes and has nothing to do with us. Beats a second. */
export async function controlPace(): Promise<number> {
  const url = URL.createObjectURL(new Blob(['for (;;);'], { type: 'text/javascript' }));
  const busy = new Worker(url);
  const pulse = takePulse();
  await new Promise((resolve) => setTimeout(resolve, CONTROL_MS));
  const { pace = 0 } = await pulse();
  busy.terminate();
  URL.revokeObjectURL(url);
  return pace;
}

/** What others who share the machine do to work: how many times longer it takes, and for how long a piece of it was held up. */
export interface Slowness {
  /** 1 on a free machine. */
  readonly times: number;
  /** Milliseconds; next to nothing on a free machine. */
  readonly stall: number;
}

/** Measured on plain work of a fifth of a second. */
export function slowness(): Slowness {
  const pieces = Array.from({ length: 200 }, () => {
    const before = performance.now();
    let sum = 0;
    for (let i = 0; i < 1e6; i++) sum += i ^ (sum & 7);
    return performance.now() - before + (sum === 0 ? 1 : 0);
  });
  const alone = Math.min(...pieces);
  const times = pieces.reduce((sum, ms) => sum + ms, 0) / (pieces.length * alone);
  return { times, stall: Math.max(...pieces) - alone };
}

/** What is wrong with a pulse, or undefined. */
export function complaint({ pace, longest, culprit }: Pulse, control: number): string | undefined {
  // Measured afterwards, so only when there is a reason to.
  const { times, stall } = longest >= LONG_MS ? slowness() : { times: 1, stall: 0 };
  if (longest >= LONG_MS * times + stall)
    return `our scripts held a frame for ${Math.round(longest)} ms (this machine takes ${times.toFixed(1)} times as long now and held plain work up for ${Math.round(stall)} ms): ${culprit}`;
  if (pace === undefined || pace >= control * LEAST_SHARE) return undefined;
  return `${pace.toFixed(1)} beats a second, ${control.toFixed(1)} beside a plain worker`;
}
