/** Refuses what is no tool, with its name, the place and what to do. */
import { InvalidOptionsError } from '../errors.ts';
import type { Tool } from './tool.ts';

/** Longer names do not fit the limits of chat APIs by far, and bloat every trace. */
export const MAX_NAME_LENGTH = 256;

const RISKS = ['read', 'write', 'danger'];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
/** Ways to write it that are meant, and would otherwise be ignored like any field that is not ours. */
const LIKE_APPROVAL = /^(?!(needs|requires)Approval$)(need|require|ask)s?_?([aA]pprov|[cC]onfirm)/;
const ORIGINS = ['app', 'mcp', 'webmcp'];

/** @param path JSON pointer into the tool; into the list of tools where its position is what is wrong (`/1/name`). */
export function invalidTool(tool: string, path: string, problem: string): InvalidOptionsError {
  return new InvalidOptionsError('invalid_tool', `The tool ${JSON.stringify(tool)} cannot be used at ${path}: ${problem}.`, {
    tool,
    path,
  });
}

/**
 * Checks everything of a tool but its schemas; `seen` maps names to positions.
 *
 * @throws InvalidOptionsError `invalid_tool`
 */
export function checkTool(tool: unknown, position: number, seen: Map<string, number>): asserts tool is Tool {
  const label = `#${position}`;
  if (typeof tool !== 'object' || tool === null)
    throw invalidTool(label, `/${position}`, 'a tool is an object with a name and execute');
  const { name } = tool as Partial<Tool>;
  if (typeof name !== 'string' || !name || name.length > MAX_NAME_LENGTH)
    throw invalidTool(
      typeof name === 'string' && name ? `${name.slice(0, 40)}…` : label,
      `/${position}/name`,
      `a tool needs a name, a text of 1 to ${MAX_NAME_LENGTH} characters`,
    );
  const first = seen.get(name);
  if (first !== undefined)
    throw invalidTool(
      name,
      `/${position}/name`,
      `two tools have this name (positions ${first} and ${position}); give each its own`,
    );
  seen.set(name, position);
  checkFields(tool as Tool);
}

function checkFields(tool: Tool): void {
  const refuse = (path: string, problem: string): void => {
    throw invalidTool(tool.name, path, problem);
  };
  if (typeof tool.execute !== 'function') refuse('/execute', 'it needs a function execute(input, call)');
  for (const field of ['title', 'description'] as const) {
    if (tool[field] !== undefined && typeof tool[field] !== 'string') refuse(`/${field}`, `${field} is a text`);
  }
  if (tool.risk !== undefined && !RISKS.includes(tool.risk)) refuse('/risk', `risk is one of ${RISKS.join(', ')}`);
  for (const field of ['needsApproval', 'requiresApproval'] as const) {
    if (tool[field] !== undefined && typeof tool[field] !== 'boolean' && typeof tool[field] !== 'function')
      refuse(`/${field}`, `${field} is a boolean or a function`);
  }
  for (const field of ['revert', 'describeCall'] as const) {
    if (tool[field] !== undefined && typeof tool[field] !== 'function') refuse(`/${field}`, `${field} is a function`);
  }
  for (const field in tool) {
    // Fields that are not ours are ignored, so that tools of other libraries fit; but none that is meant to make a tool safer.
    if (LIKE_APPROVAL.test(field) && tool[field as keyof Tool]) refuse(`/${field}`, 'write needsApproval');
  }
  // As other libraries call it: ignored, inputs of the model would be checked by nothing.
  if ('parameters' in tool && !tool.inputSchema) refuse('/parameters', 'write inputSchema');
  checkOrigin(tool, refuse);
  checkAnnotations(tool, refuse);
}

function checkOrigin({ origin }: Tool, refuse: (path: string, problem: string) => void): void {
  if (origin === undefined) return;
  if (typeof origin !== 'object' || origin === null || !ORIGINS.includes(origin.kind))
    refuse('/origin/kind', `kind is one of ${ORIGINS.join(', ')}`);
  else if (origin.server !== undefined && typeof origin.server !== 'string') refuse('/origin/server', 'server is a text');
}

function checkAnnotations({ annotations }: Tool, refuse: (path: string, problem: string) => void): void {
  // MCP servers send null for "nothing to say".
  if (annotations === undefined || annotations === null) return;
  if (typeof annotations !== 'object' || Array.isArray(annotations)) {
    refuse('/annotations', 'annotations are an object of hints');
    return;
  }
  for (const hint of HINTS) {
    const value: unknown = (annotations as Record<string, unknown>)[hint];
    if (value !== undefined && value !== null && typeof value !== 'boolean')
      refuse(`/annotations/${hint}`, `${hint} is true or false`);
  }
}
