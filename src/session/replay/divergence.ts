/** Why a run cannot be continued, in words that say what to do instead. */
import { CodeModeError } from '../../errors.ts';
import type { RunError } from '../../journal/events.ts';
import type { RecordedCall } from '../../journal/recording.ts';
import type { WireCall } from '../../protocol/wire.ts';

const OFFERS = 'Nothing was executed. Start it again (`session.retry`), or start it with changed code.';

function diverged(message: string, data: Readonly<Record<string, unknown>>): RunError {
  return { code: 'replay_diverged', name: 'CodeModeError', message: `${message} ${OFFERS}`, data };
}

/** The program asked for something else than the last time. */
export function otherCall({ ordinal, kind, tool }: RecordedCall, now: WireCall): RunError {
  const [was, is] = [nameOf(kind, tool), nameOf(now.kind, now.tool)];
  const what = was === is ? `call ${ordinal}, ${is}, has another input` : `call ${ordinal} is ${is} and was ${was}`;
  return {
    ...diverged(`The program cannot be continued, because it does not do again what it did: ${what}.`, {
      call: ordinal,
      was,
      is,
    }),
    ...(now.site && { site: now.site }),
  };
}

/** The program came to its end and left out calls it had made. */
export function missingCall({ ordinal, kind, tool }: RecordedCall): RunError {
  const was = nameOf(kind, tool);
  const message = `The program cannot be continued, because it does not do again what it did: call ${ordinal}, ${was}, was not made.`;
  return diverged(message, { call: ordinal, was });
}

/** Another engine or prelude may take another way; that is said before anything runs. */
export function otherEngine(was: string, is: string): RunError {
  return diverged(`The program cannot be continued: it ran on ${was}, and this page runs ${is}.`, { was, is });
}

/** The record is of a version that lacks something. */
export function otherVersion(was: number, is: number): RunError {
  return diverged(`The program cannot be continued: it was recorded by another version of this package.`, { was, is });
}

/** @throws CodeModeError `replay_diverged` */
export function incomplete(ordinal: number): CodeModeError {
  const message = `The program cannot be continued: the record lacks the reply to its call ${ordinal}. ${OFFERS}`;
  return new CodeModeError('replay_diverged', message, { call: ordinal });
}

function nameOf(kind: WireCall['kind'], tool: string): string {
  return kind === 'tool' ? tool : `codemode.${kind === 'result' ? 'results.load' : kind}`;
}
