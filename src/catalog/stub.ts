import type { CatalogEntry } from './catalog.ts';
import { minimalValue } from './minimal-value.ts';

/** A value that the tool's output schema takes, for calls that are only simulated; nothing where none is found. `{}` without a schema. */
export async function stubOf(
  entry: Pick<CatalogEntry, 'outputJsonSchema' | 'validateOutput'>,
): Promise<{ readonly value: unknown } | undefined> {
  const found = entry.outputJsonSchema === undefined ? { value: {} } : minimalValue(entry.outputJsonSchema);
  if (!found) return undefined;
  const checked = await entry.validateOutput(found.value);
  return checked.ok ? { value: checked.value } : undefined;
}
