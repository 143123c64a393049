import type { Progress } from '../catalog/tool.ts';
import type { Clock } from '../protocol/clock.ts';

/** Four reports a second: what an eye can follow. */
const INTERVAL_MS = 250;

/** What a handler reports to. */
export interface ProgressReports {
  report(progress: Progress): void;
  close(): void;
}

/** Coalesces a handler's reports; the last one before a quiet moment always gets through. */
export function createProgress(clock: Clock, write: (progress: Progress) => void): ProgressReports {
  let latest: Progress | undefined;
  let cancel: (() => void) | undefined;
  let closed = false;
  const flush = (): void => {
    cancel = undefined;
    if (!latest || closed) return;
    write(latest);
    latest = undefined;
    cancel = clock.schedule(flush, INTERVAL_MS);
  };
  return {
    report(progress) {
      if (closed) return;
      latest = clean(progress);
      if (!cancel) flush();
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}

/** Only the three known fields, of the right kind: a handler may pass anything on. */
function clean({ done, total, message }: Progress): Progress {
  return {
    ...(typeof done === 'number' && Number.isFinite(done) && { done }),
    ...(typeof total === 'number' && Number.isFinite(total) && { total }),
    ...(typeof message === 'string' && { message: message.slice(0, 500) }),
  };
}
