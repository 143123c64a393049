/** What a model sends to the three tools: JSON Schemas, Standard Schemas, and a lenient reading that never throws. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../catalog/tool.ts';
import type { ExecuteCodeInput } from './model-tools.ts';

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface GetToolsInput {
  readonly query?: string;
  readonly limit?: number;
}

export interface GetToolDefinitionInput {
  readonly name?: string;
  readonly names?: readonly string[];
}

/** Names under which models send the program. */
const CODE_NAMES = ['code', 'js', 'source', 'typescriptCode'] as const;

export function parseExecuteCode(input: unknown): Parsed<ExecuteCodeInput> {
  const object = toObject(input, 'code');
  if (!object.ok) return bad('executeCode', object.message, '{"code": "return await tools.…({ … })"}');
  const fields = object.value;
  const name = CODE_NAMES.find((one) => fields[one] !== undefined);
  const code = name && fields[name];
  if (typeof code !== 'string')
    return bad('executeCode', '`code` must be a text with the program', '{"code": "return await tools.…({ … })"}');
  if (code.trim() === '') return bad('executeCode', '`code` is empty', '{"code": "return await tools.…({ … })"}');
  const { title, restart } = fields;
  return {
    ok: true,
    value: {
      code,
      ...(typeof title === 'string' && title !== '' && { title }),
      ...((restart === true || restart === 'true') && { restart: true }),
    },
  };
}

export function parseGetTools(input: unknown): Parsed<GetToolsInput> {
  const object = toObject(input ?? {}, 'query');
  if (!object.ok) return bad('getTools', object.message, '{"query": "refund an order"}');
  const { query, limit } = object.value;
  if (query !== undefined && query !== null && typeof query !== 'string')
    return bad('getTools', '`query` must be a text', '{"query": "refund an order"}');
  const number = Number(limit);
  return {
    ok: true,
    value: {
      ...(typeof query === 'string' && query.trim() !== '' && { query }),
      ...(Number.isFinite(number) && number >= 1 && { limit: Math.floor(number) }),
    },
  };
}

/** Reads `name` and `names`, each a text or a list. */
export function parseGetToolDefinition(input: unknown): Parsed<{ readonly names: readonly string[] }> {
  const object = toObject(input, 'name');
  if (!object.ok) return bad('getToolDefinition', object.message, '{"name": "…"}');
  const given = [object.value.name, object.value.names].flat().filter((one) => one !== undefined && one !== null);
  const names = given.filter((one): one is string => typeof one === 'string' && one !== '');
  if (names.length === 0 || names.length < given.length)
    return bad('getToolDefinition', '`name` must be the name of a tool, or `names` a list of names', '{"name": "…"}');
  return { ok: true, value: { names: [...new Set(names)] } };
}

/** Arguments as an object: as they are, as JSON text (once or twice encoded), as a bare text that is no JSON, or as no text at all. */
/** The arguments of a tool that is offered by itself: an object, or its JSON text. */
export function readArguments(tool: string, input: unknown): Parsed<unknown> {
  const object = toObject(input ?? {}, 'value');
  return object.ok
    ? object
    : { ok: false, message: `${tool} could not read its arguments: ${object.message}. Nothing ran. Send a JSON object.` };
}

function toObject(input: unknown, bare: string): Parsed<Record<string, unknown>> {
  let value = input;
  for (let i = 0; i < 2 && typeof value === 'string'; i++) {
    const text: string = value.trim();
    if (!/^[{["]/.test(text)) return { ok: true, value: text === '' ? {} : { [bare]: value } };
    try {
      value = JSON.parse(text);
    } catch {
      return { ok: false, message: 'the arguments are no valid JSON' };
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, message: 'the arguments must be an object' };
  return { ok: true, value: value as Record<string, unknown> };
}

function bad(tool: string, problem: string, example: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `${tool} could not read its arguments: ${problem}. Nothing ran. Send for example ${example}` };
}

export function executeCodeSchema(keepsState: boolean): JsonSchema {
  return {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The whole program, JavaScript or TypeScript.' },
      title: { type: 'string', description: 'What it does, in a few words, for the user.' },
      ...(keepsState && { restart: { type: 'boolean', description: 'Forget the variables of earlier programs first.' } }),
    },
    required: ['code'],
    additionalProperties: false,
  };
}

export const GET_TOOLS_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, in a few words. Leave it out to list tools.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most tools to return.' },
  },
  additionalProperties: false,
};

export const GET_TOOL_DEFINITION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of one tool.' },
    names: { type: 'array', items: { type: 'string' }, description: 'Names of several tools.' },
  },
  additionalProperties: false,
};

/** A Standard Schema with its JSON Schema side, for libraries that read one or the other. */
export function toStandardSchema<T>(
  jsonSchema: () => JsonSchema,
  parse: (input: unknown) => Parsed<T>,
): StandardSchemaV1<unknown, T> {
  const json = () => jsonSchema() as Record<string, unknown>;
  const props = {
    version: 1 as const,
    vendor: 'react-code-mode',
    validate(value: unknown): StandardSchemaV1.Result<T> {
      const parsed = parse(value);
      return parsed.ok ? { value: parsed.value } : { issues: [{ message: parsed.message }] };
    },
    jsonSchema: { input: json, output: json },
  };
  return { '~standard': props };
}
