import type { CatalogEntry } from '../catalog/catalog.ts';
import { inputInvalid, RunOver } from './call-failure.ts';
import type { RunEnding } from './run-scope.ts';

/** The input as the tool's schema takes it. @throws CallFailure `invalid_input`, RunOver */
export async function checkInput(
  ending: RunEnding,
  entry: CatalogEntry,
  input: unknown,
  whose: 'program' | 'policy',
): Promise<unknown> {
  const checked = await entry.validateInput(input);
  if (ending.over) throw new RunOver();
  if (checked.ok) return checked.value;
  throw inputInvalid(entry.name, checked.issues, whose === 'policy');
}
