/** What both adapters of the harness share. */
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import type { CaseSession, CaseTool } from './harness-types.ts';
import { toTools } from './product.ts';

/** The expression a program uses for a tool; works for any name. */
export const toolExpr = (name: string): string => `tools[${JSON.stringify(name)}]`;

/** The declarations a model gets for these tools. */
export const stub = async (tools: Readonly<Record<string, CaseTool>>): Promise<string> =>
  createCatalog(toTools(tools)).declarations();

/** The object the harness imports. */
export interface Adapter {
  readonly requireFrom: string;
  readonly libs: Readonly<Record<string, unknown>>;
  session(): Promise<CaseSession>;
}
