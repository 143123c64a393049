import { createModelTools } from '../session/create-model-tools.ts';
import type { Session } from '../session/types.ts';
import type { ModelResult, ModelTool, ModelToolCall, ModelTools } from '../session/model-tools.ts';

/** What a component that has no session of its own making works with. */
export interface SessionSource {
  readonly session: Session | undefined;
  /** Makes one, if that is this component's to do. Only outside of rendering. */
  ensure(): Session | undefined;
  /** Code mode is switched off: calls of the model tools are answered, no program runs. */
  readonly off: boolean;
}

/** A place for a session that comes later. */
export interface SessionCell {
  /** The same objects for ever; their words are the real tools' as soon as those exist, and a call waits for them. */
  readonly tools: ModelTools;
  /** The same as a list. */
  readonly offered: readonly ModelTool<unknown, ModelResult>[];
  set(source: SessionSource): void;
  /** @throws Error where there is no session and none can be made */
  session(): Session;
  /** The same, for running programs. @throws Error too where code mode is off */
  forPrograms(): Session;
}

const OFF: ModelResult = { ok: false, text: 'Code mode is off in this application. Nothing ran; do not try again.' };
const NO_CODE_MODE =
  'useCodeMode() found no code mode to use. Give it `tools`, give it `codeMode`, or put it inside <CodeModeProvider value={codeMode}>.';
const ABORTED: ModelResult = { ok: false, text: 'Cancelled before code mode was ready. Nothing ran.' };

export function createSessionCell(): SessionCell {
  const early = earlyTools();
  let source: SessionSource = { session: undefined, ensure: () => undefined, off: false };
  let current: ModelTools | undefined;
  let waiting: ((tools: ModelTools) => void)[] = [];
  const ready = (): Promise<ModelTools> => new Promise((resolve) => waiting.push(resolve));

  const lazy = <K extends keyof ModelTools>(name: K): ModelTools[K] => {
    const now = (): ModelTools[K] => (current ?? early)[name];
    const tool: ModelTool<never, ModelResult> = {
      get name() {
        return now().name;
      },
      get description() {
        return now().description;
      },
      get jsonSchema() {
        return now().jsonSchema;
      },
      get inputSchema() {
        return now().inputSchema as never;
      },
      async run(input: unknown, call?: ModelToolCall): Promise<ModelResult> {
        if (source.off) return OFF;
        const tools = current ?? (await orAborted(ready(), call?.signal));
        return tools ? tools[name].run(input, call) : ABORTED;
      },
    };
    return tool as ModelTools[K];
  };

  const session = (): Session => {
    const found = source.session ?? source.ensure();
    if (!found) throw new Error(NO_CODE_MODE);
    return found;
  };
  const tools = { getTools: lazy('getTools'), getToolDefinition: lazy('getToolDefinition'), executeCode: lazy('executeCode') };
  return {
    tools,
    offered: Object.values(tools),
    set(next) {
      source = next;
      if (current === next.session?.modelTools) return;
      current = next.session?.modelTools;
      if (!current) return;
      // The description lists the signatures once the catalogue is built; a first look starts that.
      void current.executeCode.description;
      const resolvers = waiting;
      waiting = [];
      for (const resolve of resolvers) resolve(current);
    },
    session,
    forPrograms() {
      if (source.off) throw new Error('Code mode is off here (`enabled: false`), so no program can run.');
      return session();
    },
  };
}

/** Words and schemas of the tools before there is a catalogue. They are read, never run. */
function earlyTools(): ModelTools {
  return createModelTools({
    catalog: () => new Promise(() => {}),
    run: () => {
      throw new Error('There is no session yet.');
    },
    options: () => ({}),
    limits: () => ({ maxModelChars: 0 }),
  });
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
