/** The three tools of one session, as definitions that the AI SDK, OpenAI, Anthropic and others take. */
import type { Catalog } from '../catalog/catalog.ts';
import type { JsonSchema } from '../catalog/tool.ts';
import { isCodeModeError } from '../errors.ts';
import type { Limits } from '../protocol/limits.ts';
import type { ContentPart } from './content-parts.ts';
import { loadRuntime } from './load-runtime.ts';
import {
  executeCodeSchema,
  GET_TOOL_DEFINITION_SCHEMA,
  GET_TOOLS_SCHEMA,
  type GetToolDefinitionInput,
  type GetToolsInput,
  type Parsed,
  parseExecuteCode,
  parseGetToolDefinition,
  parseGetTools,
  toStandardSchema,
} from './model-arguments.ts';
import { executeCodeDescription, GET_TOOL_DEFINITION_DESCRIPTION, GET_TOOLS_DESCRIPTION } from './model-description.ts';
import type { ExecuteCodeInput, ModelResult, ModelTool, ModelToolCall, ModelTools } from './model-tools.ts';
import type { CodeModeOptions, Run, RunOptions } from './types.ts';

export interface ModelToolsDeps {
  /** The catalogue as it is now; at once where it is known, so that descriptions are complete from the start. */
  catalog(): Catalog | Promise<Catalog>;
  run(code: string, options: RunOptions): Run | Promise<Run>;
  options(): Pick<CodeModeOptions, 'discovery' | 'discoveryBudget' | 'maxRetries' | 'state'>;
  limits(): Pick<Limits, 'maxModelChars'>;
  /** Name under which later programs load the result of a run. */
  resultName?(runId: string): string;
}

const DEFAULT_BUDGET = 4_000;
const DEFAULT_RETRIES = 3;

export function createModelTools(deps: ModelToolsDeps): ModelTools {
  const keepsState = () => deps.options().state === 'session';
  const known = knownCatalog(deps.catalog);
  const ask = async (
    answer: (texts: Awaited<ReturnType<typeof loadRuntime>>, catalog: Catalog, maxChars: number) => ModelResult,
  ): Promise<ModelResult> => {
    try {
      return answer(await loadRuntime(), await deps.catalog(), deps.limits().maxModelChars);
    } catch (error) {
      return failed(error);
    }
  };

  return {
    getTools: define<GetToolsInput, GetToolsInput>(
      'getTools',
      () => GET_TOOLS_DESCRIPTION,
      () => GET_TOOLS_SCHEMA,
      parseGetTools,
      (input) => ask(({ listingText }, catalog, maxChars) => ({ ok: true, text: listingText(catalog, input, maxChars) })),
    ),
    getToolDefinition: define<GetToolDefinitionInput, { names: readonly string[] }>(
      'getToolDefinition',
      () => GET_TOOL_DEFINITION_DESCRIPTION,
      () => GET_TOOL_DEFINITION_SCHEMA,
      parseGetToolDefinition,
      ({ names }) => ask(({ definitionsText }, catalog, maxChars) => definitionsText(catalog, names, maxChars)),
    ),
    executeCode: define<ExecuteCodeInput, ExecuteCodeInput>(
      'executeCode',
      () => {
        const { discovery = 'auto', discoveryBudget = DEFAULT_BUDGET } = deps.options();
        return executeCodeDescription(known(), { mode: discovery, budget: discoveryBudget }, keepsState());
      },
      () => executeCodeSchema(keepsState()),
      parseExecuteCode,
      createExecute(deps),
    ),
  };
}

/** Descriptions and schemas are read anew each time: tools and options may change while a chat goes on. */
function define<I, P extends I>(
  name: string,
  description: () => string,
  jsonSchema: () => JsonSchema,
  parse: (input: unknown) => Parsed<P>,
  run: (input: P, call: ModelToolCall) => Promise<ModelResult>,
): ModelTool<I, ModelResult> {
  return {
    name,
    get description() {
      return description();
    },
    get jsonSchema() {
      return jsonSchema();
    },
    inputSchema: toStandardSchema<I>(jsonSchema, parse),
    async run(input, call = {}) {
      const parsed = parse(input);
      return parsed.ok ? run(parsed.value, call) : { ok: false, text: parsed.message };
    },
  };
}

function createExecute({
  run,
  options,
  limits,
  resultName,
}: ModelToolsDeps): (input: ExecuteCodeInput, call: ModelToolCall) => Promise<ModelResult> {
  let failures = 0;
  return async ({ code, title, restart }, { callId, signal }) => {
    try {
      const started = await run(code, {
        preflight: true,
        ...(callId !== undefined && { id: callId }),
        ...(title !== undefined && { title }),
        ...(signal && { signal }),
        ...(restart !== undefined && { restart }),
      });
      const outcome = await started.outcome;
      if (outcome.status === 'completed') failures = 0;
      if (outcome.status === 'failed' && !isDenial(outcome.error.code)) failures++;
      const attemptsLeft = Math.max(0, (options().maxRetries ?? DEFAULT_RETRIES) - failures);
      // The model has been told to stop; whatever it sends next belongs to a new turn of the conversation.
      if (attemptsLeft === 0) failures = 0;
      const { takeParts, outcomeText } = await loadRuntime();
      const { value, media } = takeParts(outcome.status === 'completed' ? outcome.value : undefined);
      const text = outcomeText(outcome.status === 'completed' ? { ...outcome, value } : outcome, {
        source: code,
        maxChars: limits().maxModelChars,
        attemptsLeft,
        ...(resultName && { resultName: resultName(started.id) }),
      });
      const parts: readonly ContentPart[] = [{ type: 'text', text }, ...media];
      return { ok: outcome.status === 'completed', text, ...(media.length > 0 && { parts }), outcome, runId: started.id };
    } catch (error) {
      return failed(error);
    }
  };
}

/** A person's or the application's no is no mistake of the program. */
function isDenial(code: string): boolean {
  return code === 'tool_denied' || code === 'approval_expired';
}

/** Errors of ours are written to be read; of others only that there was one. */
function failed(error: unknown): ModelResult {
  return {
    ok: false,
    text: isCodeModeError(error)
      ? `${error.message} (${error.code})`
      : 'The application could not answer this call. Tell the user.',
  };
}

/** The newest catalogue without waiting; asks for it, so that the next look finds it. */
function knownCatalog(load: ModelToolsDeps['catalog']): () => Catalog | undefined {
  let latest: Catalog | undefined;
  return () => {
    try {
      const now = load();
      if (now instanceof Promise) {
        now.then(
          (catalog) => (latest = catalog),
          () => undefined,
        );
      } else latest = now;
    } catch {
      // A tool set that cannot be used is reported by the first call, not by reading a description.
    }
    return latest;
  };
}
