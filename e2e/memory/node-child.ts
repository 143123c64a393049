/** A process that runs one shape, named by its argument, and says how much memory it ever had, and what is left of it. */
import { createNodeExecutor } from '../../src/node.ts';
import { runShape } from './run-shape.ts';
import { shapeOf } from './shapes.ts';

const executor = createNodeExecutor();
const end = await runShape(executor, shapeOf(process.argv[2] ?? ''));
// The unit is KiB on every platform.
const peakRss = process.resourceUsage().maxRSS * 1024;
await executor[Symbol.asyncDispose]();
(globalThis as { gc?: () => void }).gc?.();
const { heapUsed, external } = process.memoryUsage();
process.stdout.write(JSON.stringify({ ...end, peakRss, live: heapUsed + external }));
