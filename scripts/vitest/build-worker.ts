/** Before any test: bundle the worker once, as `.cache/worker.js`. */
import { writeWorker } from '../plugins/worker-file.ts';

export default async function setup(): Promise<void> {
  // While the worker is being written its bundle may fail; tests that need it say so themselves.
  await writeWorker().catch((error: unknown) => console.warn(`worker not bundled: ${String(error).slice(0, 300)}`));
}
