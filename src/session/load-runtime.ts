import { notLoaded } from '../bridge/lazy-executor.ts';
import { loadCatalogRuntime } from '../catalog/load-catalog-runtime.ts';
import type * as runtime from './runtime.ts';

export type Runtime = typeof runtime;

let loaded: Runtime | undefined;
let loading: Promise<Runtime> | undefined;

/** The runtime, if it is there already. */
export function runtimeNow(): Runtime | undefined {
  return loaded;
}

/** Loads the runtime once for all code modes of the page. @throws EnvironmentError `executor_unavailable`; the next use asks again */
export function loadRuntime(): Promise<Runtime> {
  return (loading ??= begin());
}

async function begin(): Promise<Runtime> {
  try {
    const [later] = await Promise.all([import('./runtime.ts'), loadCatalogRuntime()]);
    return (loaded = later);
  } catch (error) {
    loading = undefined;
    throw notLoaded(error);
  }
}
