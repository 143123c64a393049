/** The calls the page may make. The page is trusted; what is guarded here is the order. */
import type { RunRequest, WorkerControl } from '../src/protocol/control.ts';
import { packFrame, type Packed, unpackReplies } from '../src/protocol/packing.ts';
import { type ModuleMessage, type NameTable, PROTOCOL_VERSION, type WorkerInit, type WorkerReady } from '../src/protocol/wire.ts';
import { startError } from './entry-errors.ts';
import type { EntryHost } from './entry-host.ts';
import { rehearse } from './entry-rehearsal.ts';
import { lockDown } from './lock-down.ts';
import type { PreparedContext } from './sandbox/contexts.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';

// Measured (engine.md §5): above this the host's own stack overflows first. A thread of Node has 16 MB, a web worker 1 MB.
const STACK_BYTES = { web: 128 * 1024, node: 256 * 1024 };

export function createControl(host: EntryHost): WorkerControl {
  let sandbox: Sandbox | undefined;
  let channel: MessagePort | undefined;
  let known: NameTable | undefined;

  function ready(): Sandbox {
    if (!sandbox) throw new Error('The worker was asked to work before it was initialised.');
    return sandbox;
  }

  function listen(port: MessagePort): void {
    channel = port;
    port.onmessage = (event: MessageEvent<Packed>) => {
      const { runId, replies } = unpackReplies(event.data);
      ready().settle(runId, replies);
    };
  }

  return {
    async init(init: WorkerInit, port: object): Promise<WorkerReady> {
      if (sandbox) throw new Error('The worker is initialised already.');
      if (init.protocol !== PROTOCOL_VERSION) return { protocol: PROTOCOL_VERSION, engine: '' };
      let context: PreparedContext | undefined;
      let code: Uint8Array | undefined;
      try {
        sandbox = await createSandbox({
          module: init.module as WebAssembly.Module | undefined,
          context: init.context as PreparedContext | undefined,
          memoryBytes: init.memoryBytes,
          stackBytes: STACK_BYTES[host.kind],
          cancelFlag: init.cancelFlag,
        });
        await sandbox.prepare();
        context = sandbox.preparedContext();
        if (init.reserve) await rehearse(sandbox, init.memoryBytes);
        await sandbox.prepare();
        // Before anything hostile has run here.
        if (init.wantsCode) code = host.code?.();
      } catch (error) {
        return { protocol: PROTOCOL_VERSION, engine: '', error: startError(error, init.memoryBytes) };
      }
      listen(port as MessagePort);
      lockDown();
      const compiled = init.module === undefined || code !== undefined;
      if (compiled) channel?.postMessage({ module: sandbox.module, context, code } satisfies ModuleMessage);
      return { protocol: PROTOCOL_VERSION, engine: sandbox.engine, compiled };
    },

    async run(request: RunRequest, names: NameTable | undefined) {
      const table = names ?? known;
      if (!table) throw new Error('The worker was given a program without names of tools.');
      known = table;
      let frames = 0;
      const box = ready();
      const reply = await box.run({ ...request, names: table }, (frame) => {
        frames++;
        channel?.postMessage(packFrame(frame));
      });
      // The next program's context is made once the answer to this one is out.
      if (request.state === 'run' && !box.spent) setTimeout(() => void box.prepare(), 0);
      return { reply, frames, spent: box.spent };
    },

    cancel: (runId) => ready().cancel(runId),
    analyze: (source, names) => ready().analyze(source, names),
  };
}
