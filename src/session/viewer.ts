/** Sessions that another page owns: what is asked here is decided there, and nothing runs here. */
import type { Journal } from '../journal/journal.ts';
import { notOwner } from '../journal/journal-errors.ts';
import { lateRun, refusedRun } from './late-run.ts';
import type { RunHandle } from './run-types.ts';

/** What a viewer may ask of the owner, by the name of the session's method. Arguments are plain data. */
export type Asked = readonly [method: string, ...args: unknown[]];

/** Methods of the owner that viewers may call; what is not on the list is refused. */
export type Answers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Lets viewers call these methods of the page that owns the session. */
export function answerViewers(journal: Journal, answers: Answers): void {
  journal.onAsk(async (question) => {
    const [method, ...args] = (Array.isArray(question) ? question : ['']) as unknown as Asked;
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
    if (!answer) throw new TypeError('a page of another version asked something unknown');
    return answer(...(args as never[]));
  });
}

/** Does `here` in the owner, at once; a viewer has the owner do it. */
export async function whereOwned<T>(journal: Journal, asked: Asked, here: () => Promise<T>): Promise<T> {
  if (journal.ownership === 'owner') return here();
  await journal.opened?.catch(() => undefined);
  return journal.ownership === 'viewer' ? ((await journal.ask(asked)) as T) : here();
}

/**
 * Begins a run as soon as it is known that this page owns the session; in a viewer its outcome is a failure with the code
 * `not_owner`, and nothing of it is recorded.
 * @param ready what must be over before the first run begins
 * @param refused called before the outcome of a run that did not begin
 */
export function beginWhenOwned(
  journal: Journal,
  id: string,
  begin: () => RunHandle,
  refused: () => void,
  ready: () => Promise<void> | undefined,
): RunHandle {
  if (journal.ownership === 'owner' && !ready()) return begin();
  return lateRun(id, async () => {
    await journal.opened?.catch(() => undefined); // the run itself reports it
    if (journal.ownership === 'viewer') {
      refused();
      return refusedRun(notOwner(journal.sessionId));
    }
    await ready();
    return begin();
  });
}
