/** A page that runs the shape it is asked for. */
import { createWebWorkerExecutor } from '../../src/core.ts';
import { runShape } from './run-shape.ts';
import { shapeOf } from './shapes.ts';

(globalThis as { runShape?: unknown }).runShape = async (name: string) => {
  const executor = createWebWorkerExecutor();
  const end = await runShape(executor, shapeOf(name));
  return end;
};
