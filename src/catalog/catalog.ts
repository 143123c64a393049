/** Contract of a validated, named tool set. `createCatalog` (create-catalog.ts) makes one. */
import type { NameTable } from '../protocol/wire.ts';
import type { JsonSchema, Risk, Tool } from './tool.ts';

/** One problem of a value against a schema. */
export interface SchemaIssue {
  /** Where in the value: `['lines', 1, 'qty']`; of a missing or unknown field, its own place. */
  readonly path: readonly (string | number)[];
  /** A whole sentence with the path: `lines[1].qty must be number, got string`. */
  readonly message: string;
}

export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

export interface CatalogEntry {
  readonly tool: Tool;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `tools.<identifier>`. */
  readonly identifier: string;
  /** The shortest expression a program can use: `tools.orders.get` or `tools['a b']`. */
  readonly expression: string;
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly trusted: boolean;
  /** SHA-256 of name, title, description, schemas, annotations, risk and origin; 64 hex digits. */
  readonly definitionHash: string;
  /** JSON Schema of the input, `{ type: 'object' }` where nothing better is known. */
  readonly inputJsonSchema: JsonSchema;
  readonly outputJsonSchema?: JsonSchema;
  /** Never throws or rejects. `undefined` stands for `{}`. */
  validateInput(input: unknown): Validation | Promise<Validation>;
  validateOutput(output: unknown): Validation | Promise<Validation>;
}

export interface SearchHit {
  readonly entry: CatalogEntry;
  readonly score: number;
}

export interface Catalog {
  /** Changes with every definition: hash over all definition hashes. */
  readonly version: string;
  readonly entries: readonly CatalogEntry[];
  readonly names: NameTable;
  /** By original name; own entries only, so `constructor` is not found. */
  get(name: string): CatalogEntry | undefined;
  /** Closest names to a wrong one, best first, at most `limit` (3). @throws Error before `loadCatalogRuntime` is done */
  suggest(wrong: string, limit?: number): readonly string[];
  /** BM25 over names, descriptions and parameters. @throws Error before `loadCatalogRuntime` is done */
  search(query: string, limit?: number): readonly SearchHit[];
  /** `declare const tools` for these entries (all by default): original names, identifiers, namespaces; one JSDoc block each. */
  declarations(entries?: readonly CatalogEntry[]): string;
  /** `tools.orders.get(input: { id: number }): Promise<{ … }>` of one entry, after the named types it needs. */
  signature(entry: CatalogEntry): string;
}
