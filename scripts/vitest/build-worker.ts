/** Before any test: bundle the worker once, as `.cache/worker.js`. */
import { writeWorker } from '../plugins/worker-file.ts';

export default writeWorker;
