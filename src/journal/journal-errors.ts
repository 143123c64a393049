/** What a journal says when it cannot be written, read or owned. */
import { CodeModeError, isCodeModeError } from '../errors.ts';
import type { Damage } from './read-events.ts';

export function storageError(cause: unknown): CodeModeError {
  if (isCodeModeError(cause)) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodeModeError(
    'storage_error',
    `The journal could not be written (${why}). Calls that need a durable record are refused until the storage works again.`,
    {},
    { cause },
  );
}

/** Why a page that only follows a session refuses to do something in it. */
export function notOwner(sessionId: string): CodeModeError {
  return new CodeModeError(
    'not_owner',
    'This conversation is open in another tab or window, which runs its programs. Nothing was run here. Go on there, or close it; this one takes over by itself.',
    { sessionId },
  );
}

export function takenOver(sessionId: string): CodeModeError {
  return new CodeModeError(
    'not_owner',
    'Another tab or window has taken this conversation over while this one did not respond. Nothing more is started here. Reload to follow it.',
    { sessionId },
  );
}

export function notOpen(): CodeModeError {
  return new CodeModeError('storage_error', 'The journal is not open yet. Wait for `opened` before appending.');
}

export function unreadable(sessionId: string, { reason, fromSeq, lost }: Damage): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `The journal of ${sessionId} is not readable from event ${fromSeq} on (${reason}), and its storage cannot set the rest aside (\`setAside\`). Nothing was changed. Delete the session or mend its storage.`,
    { sessionId, fromSeq, lost },
  );
}
