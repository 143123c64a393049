/** Refuses what is no tool, with its name, the place and what to do. */
import { InvalidOptionsError } from '../errors.ts';
import type { Tool } from './tool.ts';

/** Longer names do not fit the limits of chat APIs by far, and bloat every trace. */
export const MAX_NAME_LENGTH = 256;

const RISKS = ['read', 'write', 'danger'];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
/** Ways to write it that are meant, and would otherwise be ignored like any field that is not ours. */
const LIKE_APPROVAL = /^(?!(needs|requires)Approval$)((need|require|ask)s?_?([aA]pprov|[cC]onfirm)|approval$|confirm$)/;
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
  if (typeof name !== 'string' || name === '')
    throw invalidTool(label, `/${position}/name`, 'a tool needs a name, a text of 1 to 256 characters');
  if (name.length > MAX_NAME_LENGTH)
    throw invalidTool(
      `${name.slice(0, 40)}…`,
      `/${position}/name`,
      `its name has ${name.length} characters; at most ${MAX_NAME_LENGTH} are allowed`,
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
  if (tool.revert !== undefined && typeof tool.revert !== 'function')
    refuse('/revert', 'revert is a function revert(input, output, call)');
  for (const field of ['title', 'description'] as const) {
    if (tool[field] !== undefined && typeof tool[field] !== 'string') refuse(`/${field}`, `${field} is a text`);
  }
  if (tool.risk !== undefined && !RISKS.includes(tool.risk)) refuse('/risk', `risk is one of ${RISKS.join(', ')}`);
  for (const field of ['needsApproval', 'requiresApproval'] as const) {
    if (tool[field] !== undefined && typeof tool[field] !== 'boolean' && typeof tool[field] !== 'function')
      refuse(`/${field}`, `${field} is a boolean or a function`);
  }
  if (tool.describeCall !== undefined && typeof tool.describeCall !== 'function')
    refuse('/describeCall', 'describeCall is a function');
  checkMistaken(tool, refuse);
  checkOrigin(tool, refuse);
  checkAnnotations(tool, refuse);
}

/** Fields that are not ours are ignored, so that tools of other libraries fit; but none that is meant to make a tool safer. */
function checkMistaken(tool: Tool, refuse: (path: string, problem: string) => void): void {
  // Inherited ones too: a tool of a record lies behind an object that names it.
  for (const field in tool) {
    const ours = LIKE_APPROVAL.test(field) ? 'needsApproval' : field === 'parameters' && !tool.inputSchema && 'inputSchema';
    if (ours && tool[field as keyof Tool]) refuse(`/${field}`, `${field} would be ignored; write ${ours}`);
  }
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
