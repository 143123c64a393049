import type { CatalogEntry, Validation } from '../catalog/catalog.ts';
import { inputInvalid, RunOver } from './call-failure.ts';
import type { RunEnding, RunScope } from './run-scope.ts';
import { within } from './stopwatch.ts';

/** The input as the tool's schema takes it; a promise where the schema answers with one. @throws CallFailure `invalid_input`, RunOver */
export function checkInput(ending: RunEnding, entry: CatalogEntry, input: unknown, whose: 'program' | 'policy'): unknown {
  const judge = (checked: Validation): unknown => {
    if (ending.over) throw new RunOver();
    if (checked.ok) return checked.value;
    throw inputInvalid(entry.name, checked.issues, whose === 'policy');
  };
  const checked = entry.validateInput(input);
  return checked instanceof Promise ? checked.then(judge) : judge(checked);
}

/** What a person or the application brings: a schema that does not answer must not keep them from bringing something else. */
export async function inTime<C>(
  { clock, limits }: Pick<RunScope<C>, 'clock' | 'limits'>,
  work: Validation | Promise<Validation>,
): Promise<Validation> {
  try {
    return await within(clock, limits.toolTimeoutMs, work, 'checking it');
  } catch (error) {
    return { ok: false, issues: [{ path: [], message: (error as Error).message }] };
  }
}
