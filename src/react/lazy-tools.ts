import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ModelResult, ModelTool, ModelToolCall, ModelTools } from '../session/model-tools.ts';

/** Where the real tools come from once there is a session. */
export interface ToolsBehind {
  /** Code mode is switched off: calls are answered, nothing runs. */
  off(): boolean;
  current(): ModelTools | undefined;
  ready(): Promise<ModelTools>;
}

/**
 * Model tools that exist before the session does: their identity never changes, their words are the real tools' as soon
 * as those exist, and a call waits for them. Names are those of the default preset.
 */
export function lazyTools(behind: ToolsBehind): ModelTools {
  return {
    getTools: lazyTool(behind, 'getTools', 'Lists or searches the tools that programs can call.', {
      query: { type: 'string' },
      limit: { type: 'integer' },
    }),
    getToolDefinition: lazyTool(behind, 'getToolDefinition', 'Gives the signature and schemas of tools by name.', {
      name: { type: 'string' },
      names: { type: 'array', items: { type: 'string' } },
    }),
    executeCode: lazyTool(behind, 'executeCode', 'Runs a JavaScript or TypeScript program that can call the tools.', {
      code: { type: 'string' },
      title: { type: 'string' },
      restart: { type: 'boolean' },
    }),
  };
}

function lazyTool<K extends keyof ModelTools>(
  behind: ToolsBehind,
  name: K,
  description: string,
  properties: Readonly<Record<string, unknown>>,
): ModelTools[K] {
  const early = { type: 'object', properties };
  const inputSchema: StandardSchemaV1<unknown, never> = {
    // Bad arguments come back as a result that says so, so an early look accepts what comes.
    '~standard': { version: 1, vendor: 'react-code-mode', validate: (value) => ({ value: value as never }) },
  };
  const tool: ModelTool<never, ModelResult> = {
    get name() {
      return behind.current()?.[name].name ?? name;
    },
    get description() {
      return behind.current()?.[name].description ?? description;
    },
    get jsonSchema() {
      return behind.current()?.[name].jsonSchema ?? early;
    },
    get inputSchema() {
      return (behind.current()?.[name].inputSchema ?? inputSchema) as StandardSchemaV1<unknown, never>;
    },
    async run(input: unknown, call?: ModelToolCall): Promise<ModelResult> {
      if (behind.off()) return { ok: false, text: 'Code mode is off in this application. Nothing ran; do not try again.' };
      const tools = behind.current() ?? (await orAborted(behind.ready(), call?.signal));
      return tools ? tools[name].run(input, call) : { ok: false, text: 'Cancelled before code mode was ready. Nothing ran.' };
    },
  };
  return tool as ModelTools[K];
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return promise;
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** A place for the tools of a session that comes later. */
export interface ToolCell {
  readonly tools: ModelTools;
  set(current: ModelTools | undefined, off: boolean): void;
}

export function createToolCell(): ToolCell {
  let current: ModelTools | undefined;
  let off = false;
  let waiting: ((tools: ModelTools) => void)[] = [];
  const tools = lazyTools({
    off: () => off,
    current: () => current,
    ready: () => (current ? Promise.resolve(current) : new Promise((resolve) => waiting.push(resolve))),
  });
  return {
    tools,
    set(next, isOff) {
      current = next;
      off = isOff;
      if (!next) return;
      const resolvers = waiting;
      waiting = [];
      for (const resolve of resolvers) resolve(next);
    },
  };
}
