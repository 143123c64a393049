/** Typed signatures of tools: for the model one at a time, for editors and tests all at once. */
import type { CatalogEntry } from './catalog.ts';
import { isSchemaObject } from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';
import { docComment } from './type-docs.ts';
import { pascal, propertyName, quote, type TypeLimits, type TypeNamer, typeText } from './type-text.ts';

/** For one tool a model asked about: a page of text at most. */
const MODEL_LIMITS: TypeLimits = { maxChars: 12_000, maxDepth: 12, maxEnum: 60 };
/** For editors: complete in all but absurd cases. */
const EDITOR_LIMITS: TypeLimits = { maxChars: 60_000, maxDepth: 80, maxEnum: 1_000 };

interface Parts {
  readonly declarations: readonly string[];
  readonly parameter: string;
  readonly result: string;
}

/** `tools.orders.get(input: { id: number }): Promise<{ … }>`, after the named types it needs. */
export function signatureText(entry: CatalogEntry, limits: TypeLimits = MODEL_LIMITS): string {
  const { declarations, parameter, result } = parts(entry, createNamer(), limits);
  return [...declarations, `${entry.expression}(${parameter}): ${result}`].join('\n');
}

/** Declarations of the object `tools`: each tool under its original name, its identifier and in its namespace. */
export function declarationsText(
  entries: readonly CatalogEntry[],
  namespaces: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const namer = createNamer();
  const types: string[] = [];
  const members: string[] = [];
  for (const entry of entries) {
    const { declarations, parameter, result } = parts(entry, namer, EDITOR_LIMITS, '  ');
    types.push(...declarations);
    members.push(`${documentation(entry, '  ')}  ${propertyName(entry.name)}: (${parameter}) => ${result};`);
    if (entry.identifier !== entry.name)
      members.push(`  ${propertyName(entry.identifier)}: CodeModeTools[${quote(entry.name)}];`);
  }
  for (const [namespace, group] of Object.entries(namespaces)) {
    const inside = Object.entries(group).map(([member, name]) => `${propertyName(member)}: CodeModeTools[${quote(name)}]`);
    members.push(`  ${propertyName(namespace)}: { ${inside.join('; ')} };`);
  }
  return [...types, `interface CodeModeTools {\n${members.join('\n')}\n}`, 'declare const tools: CodeModeTools;', ''].join('\n');
}

function parts(entry: CatalogEntry, namer: TypeNamer, limits: TypeLimits, indent = ''): Parts {
  const prefix = pascal(entry.identifier);
  const input = typeText(entry.inputJsonSchema, prefix, namer, limits, indent);
  const output =
    entry.outputJsonSchema === undefined ? undefined : typeText(entry.outputJsonSchema, `${prefix}Result`, namer, limits, indent);
  return {
    declarations: [...input.declarations, ...(output?.declarations ?? [])],
    parameter: `input${needsInput(entry.inputJsonSchema) ? '' : '?'}: ${input.type}`,
    result: `Promise<${output?.type ?? 'unknown'}>`,
  };
}

/** False when a call without an argument, which stands for `{}`, may fit. */
function needsInput(schema: JsonSchema): boolean {
  if (!isSchemaObject(schema)) return schema === false;
  const wantsMore = Array.isArray(schema.required) && schema.required.length > 0;
  return wantsMore || ['$ref', 'allOf', 'anyOf', 'oneOf', 'minProperties'].some((keyword) => keyword in schema);
}

function documentation(entry: CatalogEntry, indent: string): string {
  return docComment([entry.description], indent);
}

function createNamer(): TypeNamer {
  const taken = new Set<string>(['CodeModeTools']);
  return (wish) => {
    let name = wish;
    for (let n = 2; taken.has(name); n++) name = `${wish}${n}`;
    taken.add(name);
    return name;
  };
}
