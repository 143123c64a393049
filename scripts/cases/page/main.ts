/** The product on a page. Node drives it through `window.cases` and answers its handlers through three bindings. */
import { createWebWorkerExecutor } from 'react-code-mode/core';
import type { CaseApproval, CaseOptions, CaseTool } from '../harness-types.ts';
import { Product } from '../product.ts';
import { decode, encode } from '../transfer.ts';

/** A tool without its code: schemas as JSON Schema, or validated in Node. */
export interface PageTool {
  readonly description?: string;
  readonly inputSchema?: string;
  readonly outputSchema?: string;
  /** The schema lives in Node (a schema library); `inputSchema` is its JSON Schema. */
  readonly validatesInNode?: boolean;
  readonly sensitive?: boolean;
  readonly mcp?: boolean;
}

export interface PageRun {
  readonly run: number;
  readonly code: string;
  readonly tools: Readonly<Record<string, PageTool>>;
  readonly options: CaseOptions;
}

type Settled = { readonly ok: string } | { readonly error: string };

declare global {
  interface Window {
    /** Bindings of Node. */
    nodeHandler(run: number, tool: string, call: number, input: string): Promise<Settled>;
    nodeAborted(call: number): Promise<void>;
    nodeValidate(run: number, tool: string, value: string): Promise<string>;
    nodeApproval(run: number, request: string): Promise<string>;
    cases: {
      open(): number;
      run(session: number, run: PageRun): Promise<string>;
      abort(run: number): void;
      killWorker(): void;
      dispose(session: number): Promise<void>;
    };
  }
}

/** Workers alive, so that a case can end one from outside. */
const alive = new Set<Worker>();
const PlainWorker = window.Worker;
window.Worker = class extends PlainWorker {
  constructor(...args: ConstructorParameters<typeof PlainWorker>) {
    super(...args);
    alive.add(this);
  }

  override terminate(): void {
    alive.delete(this);
    super.terminate();
  }
};

let lastCall = 0;

function handlerOf(run: number, name: string): CaseTool['handler'] {
  return async (input, { signal }) => {
    const call = ++lastCall;
    const onAbort = (): void => void window.nodeAborted(call);
    signal.addEventListener('abort', onAbort);
    const settled = await window.nodeHandler(run, name, call, encode(input));
    signal.removeEventListener('abort', onAbort);
    if ('error' in settled) throw decode(settled.error);
    return decode(settled.ok);
  };
}

function schemaOf(run: number, name: string, tool: PageTool): unknown {
  const schema = tool.inputSchema === undefined ? undefined : decode(tool.inputSchema);
  if (!tool.validatesInNode) return schema;
  return {
    '~standard': {
      version: 1,
      vendor: 'cases',
      validate: async (value: unknown) => decode(await window.nodeValidate(run, name, encode(value))),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

function toCaseTool(run: number, name: string, tool: PageTool): CaseTool {
  return {
    ...tool,
    inputSchema: schemaOf(run, name, tool),
    outputSchema: tool.outputSchema === undefined ? undefined : decode(tool.outputSchema),
    handler: handlerOf(run, name),
  };
}

const sessions = new Map<number, Product>();
const aborts = new Map<number, AbortController>();

window.cases = {
  open() {
    const id = sessions.size + 1;
    sessions.set(id, new Product(createWebWorkerExecutor()));
    return id;
  },
  async run(session, { run, code, tools, options }) {
    const controller = aborts.get(run) ?? new AbortController();
    aborts.set(run, controller);
    const result = await sessions.get(session)!.run({
      code,
      options,
      tools: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, toCaseTool(run, name, tool)])),
      signal: controller.signal,
      onApproval: ({ id, tool, input }) =>
        window.nodeApproval(run, encode({ id, tool, input })).then((text) => decode(text) as CaseApproval),
    });
    aborts.delete(run);
    return encode(result);
  },
  abort(run) {
    const controller = aborts.get(run) ?? new AbortController();
    aborts.set(run, controller);
    controller.abort(new Error('stop'));
  },
  killWorker() {
    // The one that runs the program; the spare came after it.
    const [oldest] = alive;
    oldest?.terminate();
    // What a page sees when a worker's thread dies; `terminate` of the page's own says nothing.
    oldest?.dispatchEvent(new Event('error'));
  },
  async dispose(session) {
    await sessions.get(session)?.dispose();
    sessions.delete(session);
  },
};
