/** Regular expressions of schemas. JSON Schema asks for the `u` flag; many schemas in use need small repairs for it. */

// `\\-`, `\\_`, `\\@` … mean the character itself; the `u` flag refuses them.
const NEEDLESS_ESCAPE = /\\\\|\\([^\p{L}\p{N}\\^$.*+?()[\]{}|/])/gu;

/** `pattern` in a form that compiles with the `u` flag, or undefined when there is none. */
export function usablePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern;
  const repaired = pattern.replace(NEEDLESS_ESCAPE, (whole, char: string | undefined) => {
    if (char === undefined) return whole;
    return char === '-' ? '\\x2d' : char;
  });
  return compiles(repaired) ? repaired : undefined;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
