import { afterEach, expect, it } from 'vitest';
import { createWebWorkerExecutor } from '../bridge/web-worker-executor.ts';
import { createCodeMode } from './create-code-mode.ts';

const { MessageChannel: Channel, Worker: PageWorker } = globalThis;

afterEach(() => Object.assign(globalThis, { MessageChannel: Channel, Worker: PageWorker }));

/** Counts this side's open ports, live workers, and listeners on workers. */
function watch(): { ports: number; workers: number; listeners: number } {
  const held = { ports: 0, workers: 0, listeners: 0 };
  globalThis.MessageChannel = class extends Channel {
    constructor() {
      super();
      held.ports++;
      const { port1 } = this;
      const close = port1.close.bind(port1);
      let open = true;
      port1.close = () => {
        if (open) held.ports--;
        open = false;
        close();
      };
    }
  };
  globalThis.Worker = class extends PageWorker {
    #alive = true;
    #listeners = 0;
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      held.workers++;
    }
    override addEventListener(...given: unknown[]): void {
      this.#listeners++;
      held.listeners++;
      Reflect.apply(super.addEventListener, this, given);
    }
    override removeEventListener(...given: unknown[]): void {
      if (this.#alive) this.#listeners--;
      if (this.#alive) held.listeners--;
      Reflect.apply(super.removeEventListener, this, given);
    }
    override terminate(): void {
      if (this.#alive) {
        held.workers--;
        held.listeners -= this.#listeners;
      }
      this.#alive = false;
      super.terminate();
    }
  };
  return held;
}

async function useOnce(): Promise<void> {
  const executor = createWebWorkerExecutor();
  const codeMode = createCodeMode({ tools: [{ name: 'echo', risk: 'read', execute: (input: unknown) => input }], executor });
  expect(await codeMode.session().run('return tools.echo({ n: 1 })').outcome).toMatchObject({ status: 'completed' });
  await codeMode[Symbol.asyncDispose]();
  await executor[Symbol.asyncDispose]();
}

it('holds after 500 runs with three calls each what it held after five, and nothing once it is disposed', async () => {
  // What the page has once for its whole life is made now: the channel through which its turns come.
  await useOnce();
  const held = watch();
  const executor = createWebWorkerExecutor();
  const codeMode = createCodeMode({
    tools: [{ name: 'echo', risk: 'read', execute: (input: unknown) => input }],
    executor,
  });
  const session = codeMode.session();
  const runs = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const end = await session.run('for (let i = 0; i < 3; i++) await tools.echo({ i }); return 3;').outcome;
      expect(end).toMatchObject({ status: 'completed', value: 3 });
    }
    // The spare that the first run took has been replaced.
    await expect.poll(() => executor.load).toMatchObject({ spare: 1, busy: 0, idle: 1 });
    await codeMode.warmUp();
  };
  await runs(5);
  const afterFive = { ...held };
  expect(afterFive.workers).toBe(2);
  await runs(495);
  expect(held).toEqual(afterFive);
  await codeMode[Symbol.asyncDispose]();
  await executor[Symbol.asyncDispose]();
  expect(held).toMatchObject({ ports: 0, workers: 0 });
}, 60_000);
