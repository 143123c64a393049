/** Judges what the worker found in a program against the catalogue, before anything runs. */
import { issuesText } from '../catalog/validation.ts';
import type { Catalog, CatalogEntry, SchemaIssue, Validation } from '../catalog/catalog.ts';
import { unknownFields } from '../catalog/unknown-fields.ts';
import type { ErrorCode } from '../errors.ts';
import { decode } from '../protocol/codec.ts';
import type { ProgramFacts, SourcePosition, ToolReference } from '../protocol/wire.ts';

/** One thing that is, or may be, wrong with a program. */
export interface ProgramProblem {
  /** `error`: `executeCode` refuses the program. `warning`: it runs, and the warning is attached to the result. */
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode;
  /** One sentence for the model. */
  readonly message: string;
  readonly site?: SourcePosition;
  /** Original name of the tool, or the wrong name as the program wrote it. */
  readonly tool?: string;
  /** What of the input does not fit. */
  readonly issues?: readonly SchemaIssue[];
}

/** What can be said about a program without running it. */
export interface Analysis {
  /** False when `executeCode` would refuse it. */
  readonly ok: boolean;
  /** In the order of the program. */
  readonly problems: readonly ProgramProblem[];
  /** Original names of the tools it mentions, each once. */
  readonly tools: readonly string[];
  /** A tool is chosen by a computed name: the program may reach any tool. */
  readonly computedName: boolean;
  readonly facts: ProgramFacts;
}

/** Waits for a validator, but not for ever: `undefined` when it took too long. Then the call itself will tell. */
export type Patience = (work: Promise<Validation>) => Promise<Validation | undefined>;

/** More calls with literal inputs than anybody writes by hand; the rest is validated when it is made. */
const MAX_JUDGED = 1_000;
/** Asked for by the language itself, or by a look whether a value is a promise. */
const NO_TOOL_NAMES = new Set(['then', 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Never rejects. Calls nothing but the validators of the catalogue. */
export async function judge(facts: ProgramFacts, catalog: Catalog, patience: Patience): Promise<Analysis> {
  const { syntaxError, references, computedName } = facts;
  const judged = await Promise.all(references.slice(0, MAX_JUDGED).map((each) => judgeReference(each, catalog, patience)));
  const problems = syntaxError ? [ofSyntax(syntaxError)] : unique(judged.flat());
  const tools = references.flatMap(({ tool, known }) => (known && catalog.get(tool) ? [tool] : []));
  return {
    ok: problems.every(({ severity }) => severity === 'warning'),
    problems: problems.toSorted(byPlace),
    tools: [...new Set(tools)],
    computedName,
    facts,
  };
}

/** A program that is refused for one reason, before it is parsed. */
export function refused({ code, message }: { readonly code: ErrorCode; readonly message: string }): Analysis {
  const facts = { references: [], computedName: false, freeIdentifiers: [] };
  return { ok: false, problems: [{ severity: 'error', code, message }], tools: [], computedName: false, facts };
}

function ofSyntax({ code, message, site }: NonNullable<ProgramFacts['syntaxError']>): ProgramProblem {
  return { severity: 'error', code, message, ...(site && { site }) };
}

async function judgeReference(reference: ToolReference, catalog: Catalog, patience: Patience): Promise<ProgramProblem[]> {
  const { tool, site, literalInput, unconditional } = reference;
  const entry = reference.known ? catalog.get(tool) : undefined;
  if (!entry) return NO_TOOL_NAMES.has(tool) ? [] : [unknownTool(tool, site, catalog)];
  if (literalInput === undefined) return [];
  const input = inputOf(literalInput, entry, catalog);
  if (input === undefined) return [];
  const checked = await validated(entry, input.value, patience);
  if (checked?.ok === false) return [unfit(entry, checked.issues, site, unconditional)];
  return checked ? unknownFields(entry.inputJsonSchema, input.value).map((issue) => strange(entry, issue, site)) : [];
}

function unknownTool(tool: string, site: SourcePosition, catalog: Catalog): ProgramProblem {
  const guesses = catalog.suggest(tool).map((name) => catalog.get(name)?.expression ?? name);
  const hint = guesses.length > 0 ? ` Did you mean ${guesses.join(' or ')}?` : '';
  return { severity: 'warning', code: 'tool_not_found', message: `There is no tool ${JSON.stringify(tool)}.${hint}`, site, tool };
}

/** As the handler would get it: nothing becomes `{}`, a bare value goes into the only field. */
function inputOf(text: string, { name }: CatalogEntry, { names }: Catalog): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = decode(text);
  } catch {
    // Not what the worker's own codec writes: nothing is judged by it.
    return undefined;
  }
  if (value === undefined) return { value: {} };
  const field = names.singleFields[names.names.indexOf(name)];
  const isBare = typeof value !== 'object' && typeof value !== 'function';
  return { value: isBare && field !== undefined ? { [field]: value } : value };
}

async function validated(entry: CatalogEntry, value: unknown, patience: Patience): Promise<Validation | undefined> {
  const checked = entry.validateInput(value);
  return checked instanceof Promise ? patience(checked) : checked;
}

function unfit(
  { name, expression }: CatalogEntry,
  issues: readonly SchemaIssue[],
  site: SourcePosition,
  certain: boolean,
): ProgramProblem {
  return {
    severity: certain ? 'error' : 'warning',
    code: 'invalid_input',
    message: `The input of ${expression} does not fit its schema: ${issuesText(issues)}`,
    site,
    tool: name,
    issues,
  };
}

function strange({ name, expression }: CatalogEntry, issue: SchemaIssue, site: SourcePosition): ProgramProblem {
  return {
    severity: 'warning',
    code: 'invalid_input',
    message: `In the input of ${expression}: ${issue.message}.`,
    site,
    tool: name,
    issues: [issue],
  };
}

/** A loop over a hundred equal lines is one problem. */
function unique(problems: readonly ProgramProblem[]): ProgramProblem[] {
  return [...new Map(problems.map((each) => [`${each.severity} ${each.message}`, each] as const).reverse()).values()];
}

function byPlace({ site: a }: ProgramProblem, { site: b }: ProgramProblem): number {
  if (!a || !b) return 0;
  return a.line - b.line || a.column - b.column;
}
