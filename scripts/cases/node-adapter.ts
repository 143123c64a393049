/** The harness's adapter for Node: the product on real worker threads. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { createNodeExecutor } from 'react-code-mode/node';
import * as valibot from 'valibot';
import * as zod from 'zod';
import * as zod3 from 'zod3';
import { type Adapter, stub, toolExpr } from './adapter.ts';
import { Product } from './product.ts';

/** Threads of the sessions alive, so that a case can end one from outside. */
const alive = new Set<threads.Worker>();
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args);
    alive.add(this);
    this.once('exit', () => alive.delete(this));
  }
};
syncBuiltinESMExports();

const adapter: Adapter = {
  requireFrom: import.meta.url,
  libs: { zod: zod.z, zod3: zod3.z, valibot },
  async session() {
    const product = new Product(createNodeExecutor());
    return {
      toolExpr,
      stub,
      run: (run) => product.run(run),
      async killWorker() {
        // The one that runs the program; the spare came after it.
        const [oldest] = alive;
        await oldest?.terminate();
      },
      dispose: () => product.dispose(),
    };
  },
};

export default adapter;
