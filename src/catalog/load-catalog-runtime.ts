import type * as catalog from './catalog-runtime.ts';
import type { Validation } from './catalog.ts';

type Runtime = typeof catalog;
type Validate = (value: unknown) => Validation | Promise<Validation>;

let loaded: Runtime | undefined;
let loading: Promise<Runtime> | undefined;

/** Loads it once for all catalogues. @throws what the platform says when it cannot be loaded; the next use asks again */
export function loadCatalogRuntime(): Promise<Runtime> {
  return (loading ??= begin());
}

async function begin(): Promise<Runtime> {
  try {
    return (loaded = await import('./catalog-runtime.ts'));
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** @throws Error before it is loaded: a run loads it before it asks anything of a catalogue */
export function catalogRuntime(): Runtime {
  if (!loaded) throw new Error('A catalogue searches and guesses once loadCatalogRuntime() is done.');
  return loaded;
}

/** What cannot be checked is not accepted. */
const UNCHECKED: Validation = {
  ok: false,
  issues: [{ path: [], message: 'the value could not be checked: the validator could not be loaded' }],
};

/** Judges values: at once when the runtime is there, else as soon as it is. Never throws or rejects. */
export function lazyValidator(make: (runtime: Runtime) => Validate): Validate {
  let judge: Validate | undefined;
  return (value) =>
    loaded
      ? (judge ??= make(loaded))(value)
      : loadCatalogRuntime().then(
          (runtime) => (judge ??= make(runtime))(value),
          () => UNCHECKED,
        );
}
