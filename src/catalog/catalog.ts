/**
 * Contract of a validated, named tool set. `createCatalog` (create-catalog.ts) makes one.
 * TEMPORARY SHAPE NOTE: keep the names; fill in create-catalog.ts, validation.ts, identifiers.ts, signatures.ts, search.ts.
 */
import type { NameTable } from '../protocol/wire.ts';
import type { JsonSchema, Risk, Tool } from './tool.ts';

/** One problem of a value against a schema. */
export interface SchemaIssue {
  /** Where in the value: `['lines', 1, 'qty']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Validation = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

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
  /** SHA-256 (or a stable 128-bit hash where there is no `crypto.subtle`) of name, description, schemas, annotations, risk; hex. */
  readonly definitionHash: string;
  /** JSON Schema of the input, `{ type: 'object' }` where nothing better is known. */
  readonly inputJsonSchema: JsonSchema;
  readonly outputJsonSchema?: JsonSchema;
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
  /** Closest names to a wrong one, best first, at most `limit` (3). */
  suggest(wrong: string, limit?: number): readonly string[];
  /** BM25 over names, descriptions and parameters. */
  search(query: string, limit?: number): readonly SearchHit[];
  /** `declare const tools: { … }` for these entries (all by default), with one JSDoc block each. */
  declarations(entries?: readonly CatalogEntry[]): string;
  /** `get(input: { id: number }): Promise<{ … }>` of one entry. */
  signature(entry: CatalogEntry): string;
}
