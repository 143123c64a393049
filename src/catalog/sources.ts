/** From the forms an application may give its tools in, to a list; and which of them a session offers. */
import { InvalidOptionsError } from '../errors.ts';
import type { Risk, Tool, ToolSelector, ToolSource } from './tool.ts';
import { withinRisk } from './risk.ts';

/**
 * The tools of a source as a list, at once unless a function answers later. A record's key is the name of a tool that has none.
 *
 * @throws InvalidOptionsError `invalid_tool` when it is none of the three forms.
 */
export function resolveTools<C>(source: ToolSource<C>, context: C): readonly Tool[] | Promise<readonly Tool[]> {
  const given: unknown = typeof source === 'function' ? source(context) : source;
  return given instanceof Promise ? given.then(toList) : toList(given);
}

function toList(given: unknown): readonly Tool[] {
  if (Array.isArray(given)) return given as readonly Tool[];
  if (typeof given !== 'object' || given === null) {
    throw new InvalidOptionsError(
      'invalid_tool',
      'tools must be a list of tools, an object of tools by name, or a function that returns one of them.',
      {
        path: '/tools',
      },
    );
  }
  return Object.entries(given).map(([key, tool]) => withName(tool, key));
}

const named = new WeakMap<object, Tool>();

/** Keeps the tool's own `this`: a class instance stays one. The same for the same tool, so that it is known again. */
function withName(tool: unknown, key: string): Tool {
  if (typeof tool !== 'object' || tool === null || (tool as Tool).name !== undefined) return tool as Tool;
  let made = named.get(tool);
  if (made?.name !== key) named.set(tool, (made = Object.create(tool, { name: { value: key, enumerable: true } }) as Tool));
  return made;
}

/** True when the selector offers the tool. */
export function isSelected<C>(tool: Tool, risk: Risk, select: ToolSelector<C> | undefined, context: C): boolean {
  if (select === undefined) return true;
  if (typeof select === 'function') return select(tool, context) === true;
  if (select.include && !select.include.some((pattern) => matchesPattern(tool.name, pattern))) return false;
  if (select.exclude?.some((pattern) => matchesPattern(tool.name, pattern))) return false;
  return select.maxRisk === undefined || withinRisk(risk, select.maxRisk);
}

/** `'orders.*'`: a star stands for any text, everything else for itself. Linear in the lengths, whatever the pattern. */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
