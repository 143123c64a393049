/** Validates a tool set, names it and makes it searchable. */
import type { NameTable } from '../protocol/wire.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';
import { hashJson } from './definition-hash.ts';
import { nameTools, type ToolNames } from './identifiers.ts';
import { catalogRuntime } from './load-catalog-runtime.ts';
import { SchemaProblem } from './normalize-schema.ts';
import { toPlainJson } from './plain-json.ts';
import { type RiskFacts, riskFacts, type Trust } from './risk.ts';
import { isSchemaObject } from './schema-keywords.ts';
import type { SearchIndex } from './search.ts';
import { declarationsText, signatureText } from './signatures.ts';
import { isSelected } from './sources.ts';
import type { JsonSchema, Tool, ToolSelector } from './tool.ts';
import { checkTool, invalidTool } from './tool-checks.ts';
import { type CompiledSchema, compileSchema } from './validation.ts';

export interface CatalogOptions<C = any> {
  readonly trust?: Trust;
  readonly select?: ToolSelector<C>;
  /** For `select`. */
  readonly context?: C;
  /** Tools a rule hides: they are checked, and then as if they were not there. */
  readonly hide?: (entry: CatalogEntry) => boolean;
}

const DEFAULT_SUGGESTIONS = 3;
const DEFAULT_HITS = 10;
/** What a model is told about a tool without a schema. */
const ANY_OBJECT: JsonSchema = { type: 'object' };

/** An entry before its names are decided; names depend on which tools are offered. */
type Unnamed = Omit<CatalogEntry, 'identifier' | 'expression'>;

/**
 * The catalogue of these tools. All of them are checked, also those that are not selected or hidden.
 *
 * @throws InvalidOptionsError `invalid_tool` with `data.tool` and `data.path` (JSON pointer into the tool).
 */
export function createCatalog<C>(tools: readonly Tool[], options: CatalogOptions<C> = {}): Catalog {
  const seen = new Map<string, number>();
  const unnamed: Unnamed[] = [];
  tools.forEach((tool, position) => {
    checkTool(tool, position, seen);
    const entry = entryOf(tool, options.trust);
    if (!isSelected(tool, entry.risk, options.select, options.context as C)) return;
    if (options.hide?.({ ...entry, identifier: entry.name, expression: entry.name })) return;
    unnamed.push(entry);
  });
  return assemble(unnamed);
}

interface Known {
  /** All that the entry was made of, as far as it is not inside of a schema. */
  readonly facts: readonly unknown[];
  readonly entry: Unnamed;
}

const known = new WeakMap<Tool, Known>();

/** Once for each tool: the sessions of a page offer the same ones. A tool of which something has changed is another one. */
function entryOf(tool: Tool, trust: Trust | undefined): Unnamed {
  const risk = riskFacts(tool, trust);
  const facts = [tool, tool.annotations ?? {}, tool.origin ?? {}, risk].flatMap((part) => {
    const values: unknown[] = [];
    // Also what stands in a prototype: a tool may be made of another one.
    for (const field in part) values.push(field, part[field as never]);
    return values;
  });
  const old = known.get(tool);
  if (old?.facts.length === facts.length && facts.every((fact, i) => fact === old.facts[i])) return old.entry;
  const entry = toEntry(tool, risk);
  known.set(tool, { facts, entry });
  return entry;
}

function toEntry(tool: Tool, facts: RiskFacts): Unnamed {
  const input = compile(tool, 'input');
  const output = tool.outputSchema === undefined ? undefined : compile(tool, 'output');
  const inputJsonSchema = isEmpty(input.jsonSchema) ? ANY_OBJECT : input.jsonSchema;
  const title = tool.title ?? titleOf(tool.annotations) ?? tool.name;
  const description = tool.description ?? '';
  const definition = [
    tool.name,
    title,
    description,
    inputJsonSchema,
    output?.jsonSchema ?? null,
    toPlainJson(tool.annotations ?? {}),
    facts.risk,
    toPlainJson(tool.origin ?? null),
  ];
  return {
    tool,
    name: tool.name,
    title,
    description,
    ...facts,
    definitionHash: hashJson(definition),
    inputJsonSchema,
    ...(output?.jsonSchema !== undefined && { outputJsonSchema: output.jsonSchema }),
    validateInput: (value) => input.validate(value === undefined ? {} : value),
    validateOutput: (value) => output?.validate(value) ?? { ok: true, value },
  };
}

/** True for a schema that says nothing, and for none. */
function isEmpty(schema: JsonSchema | undefined): schema is undefined {
  return schema === undefined || (isSchemaObject(schema) && Object.keys(schema).length === 0);
}

/** A title of MCP's annotations, if it is one. */
function titleOf(annotations: Tool['annotations']): string | undefined {
  return typeof annotations?.title === 'string' && annotations.title !== '' ? annotations.title : undefined;
}

function compile(tool: Tool, side: 'input' | 'output'): CompiledSchema {
  const field = side === 'input' ? 'inputSchema' : 'outputSchema';
  const given: unknown = tool[field];
  // Whoever declares nothing checks nothing: a handler without a schema gets what the program sends.
  const schema = given === undefined ? {} : given;
  try {
    return compileSchema(schema, side);
  } catch (error) {
    const pointer = error instanceof SchemaProblem ? error.pointer : '';
    throw invalidTool(
      tool.name,
      `/${field}${pointer}`,
      `its ${field} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function assemble(unnamed: readonly Unnamed[]): Catalog {
  const naming = nameTools(unnamed.map(({ tool }) => ({ name: tool.name, server: tool.origin?.server })));
  const entries = unnamed.map((entry, i): CatalogEntry => {
    const { identifier, expression } = naming.names[i] as ToolNames;
    return { ...entry, identifier, expression };
  });
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const version = hashJson(entries.map((entry) => entry.definitionHash).sort());
  let index: SearchIndex | undefined;
  const names: NameTable = { version, ...naming.table, singleFields: singleFields(entries) };

  return {
    version,
    entries,
    names,
    get: (name) => byName.get(name),
    suggest: (wrong, limit = DEFAULT_SUGGESTIONS) => catalogRuntime().suggestNames(entries, wrong, limit),
    search(query, limit = DEFAULT_HITS) {
      index ??= catalogRuntime().createSearchIndex(entries);
      return index.search(query, limit).map(({ index: i, score }) => ({ entry: entries[i] as CatalogEntry, score }));
    },
    declarations: (some = entries) => declarationsText(some, namespacesOf(names, new Set(some.map(({ name }) => name)))),
    signature: (entry) => signatureText(entry),
  };
}

function namespacesOf(names: NameTable, wanted: ReadonlySet<string>): Record<string, Record<string, string>> {
  const result: Record<string, Record<string, string>> = {};
  for (const [namespace, members] of Object.entries(names.namespaces)) {
    const some = Object.entries(members).flatMap(([member, i]) => {
      const name = names.names[i] ?? '';
      return wanted.has(name) ? [[member, name] as const] : [];
    });
    if (some.length > 0) result[namespace] = Object.fromEntries(some);
  }
  return result;
}

function singleFields(entries: readonly CatalogEntry[]): Record<number, string> {
  const fields: Record<number, string> = {};
  entries.forEach(({ inputJsonSchema }, i) => {
    if (!isSchemaObject(inputJsonSchema) || !isSchemaObject(inputJsonSchema.properties)) return;
    const [name, ...others] = Object.keys(inputJsonSchema.properties);
    if (name !== undefined && others.length === 0) fields[i] = name;
  });
  return fields;
}
