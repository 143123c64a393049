/** Runs programs in a sandbox of this thread, with handlers instead of a page. */
import { vi } from 'vitest';
import { decode, encode } from '../../../src/protocol/codec.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import type {
  ExecuteReply,
  ExecuteRequest,
  Frame,
  NameTable,
  WireCall,
  WireError,
  WireReply,
} from '../../../src/protocol/wire.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts';

// Real engines under whatever else the machine does: a test is wrong when it hangs, not when it is slow.
vi.setConfig({ testTimeout: 60_000 });

export type Handler = (input: any, call: WireCall) => unknown;
export type Handlers = Readonly<Record<string, Handler>>;

/** Thrown by a handler: reaches the program as this error. */
export class Refusal extends Error {
  readonly wire: WireError;
  constructor(wire: WireError) {
    super(wire.message);
    this.wire = wire;
  }
}

export interface Driven {
  readonly reply: ExecuteReply;
  readonly frames: readonly Frame[];
  readonly calls: readonly WireCall[];
  /** Console lines. */
  readonly lines: readonly string[];
  /** The value, decoded. */
  readonly value: unknown;
}

export function createTestSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return createSandbox({ memoryBytes: 64 * 1024 * 1024, ...options });
}

/** Names as a catalogue would give them: dots become namespaces, everything else an identifier. */
export function namesOf(handlers: Handlers, singleFields: Readonly<Record<string, string>> = {}): NameTable {
  const names = Object.keys(handlers);
  const identifiers: Record<string, number> = {};
  const namespaces: Record<string, Record<string, number>> = {};
  names.forEach((name, index) => {
    identifiers[name.replaceAll(/[^\w$]/g, '_')] = index;
    const [space, member] = name.split('.');
    if (member !== undefined) (namespaces[space!] ??= {})[member] = index;
  });
  const fields = Object.fromEntries(Object.entries(singleFields).map(([name, field]) => [names.indexOf(name), field]));
  return { version: names.join(), names, identifiers, namespaces, singleFields: fields };
}

let runs = 0;

export function requestOf(
  source: string,
  handlers: Handlers = {},
  extra: Partial<ExecuteRequest> & { fields?: Record<string, string> } = {},
): ExecuteRequest {
  const { fields, limits, ...rest } = extra;
  return {
    runId: `run-${++runs}`,
    sessionId: 'session',
    source,
    names: namesOf(handlers, fields),
    limits: { ...DEFAULT_LIMITS, memoryBytes: 64 * 1024 * 1024, ...limits },
    maxWorkers: 1,
    seed: [1, 2, 3, 4],
    locale: 'en-US',
    timeZone: 'UTC',
    state: 'run',
    restart: false,
    ...rest,
  };
}

/** Answers one call the way a page would. */
export async function answer(call: WireCall, handlers: Handlers): Promise<WireReply> {
  const handler = handlers[call.kind === 'tool' ? call.tool : call.kind];
  try {
    if (!handler)
      throw new Refusal({ code: 'tool_not_found', name: 'ToolNotFoundError', message: `There is no tool "${call.tool}".` });
    return { id: call.id, ok: true, value: encode(await handler(decode(call.input), call)) };
  } catch (error) {
    const wire: WireError =
      error instanceof Refusal
        ? error.wire
        : { code: 'tool_error', name: 'ToolError', message: error instanceof Error ? error.message : String(error) };
    return { id: call.id, ok: false, error: wire };
  }
}

export interface DriveOptions extends Partial<ExecuteRequest> {
  readonly fields?: Record<string, string>;
  /** Called with each frame before its calls are answered. */
  readonly onFrame?: (frame: Frame, request: ExecuteRequest) => void;
}

export async function drive(
  sandbox: Sandbox,
  source: string,
  handlers: Handlers = {},
  options: DriveOptions = {},
): Promise<Driven> {
  const { onFrame, ...extra } = options;
  const request = requestOf(source, handlers, extra);
  const frames: Frame[] = [];
  const calls: WireCall[] = [];
  const reply = await sandbox.run(request, (frame) => {
    frames.push(frame);
    onFrame?.(frame, request);
    calls.push(...frame.calls);
    for (const call of frame.calls) void answer(call, handlers).then((ready) => sandbox.settle(request.runId, [ready]));
  });
  const lines = frames.flatMap((frame) => frame.output.flatMap((item) => (item.kind === 'console' ? [item.text] : [])));
  const value = reply.status === 'completed' && reply.value !== undefined ? decode(reply.value) : undefined;
  return { reply, frames, calls, lines, value };
}
