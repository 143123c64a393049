/** Top-level declarations of a session, written so that the next run may declare them again, as in a developer console. */
import { bindings, type Node } from './ast.ts';
import type { Edits } from './edits.ts';

/** `let` and `const` become `var`, `class K` becomes `K=class`: same length. Gives the code that declares the rest. */
export function persistTopLevel(statements: readonly Node[], text: string, edits: Edits): string {
  const classes: string[] = [];
  for (const statement of statements) {
    if (statement.type === 'VariableDeclaration' && statement.declare !== true) {
      const kind = statement.kind as string;
      if (kind === 'var') continue;
      edits.overwrite(statement.start, statement.start + kind.length, 'var');
      for (const each of statement.declarations as Node[]) if (!each.init) edits.insert(each.end, '=void 0');
    } else if (statement.type === 'ClassDeclaration' && statement.id) classes.push(persistClass(statement, text, edits));
  }
  return classes.length > 0 ? `\n;var ${classes.join(',')}` : '';
}

/** The same inside of a wrapping function: declarations become assignments to variables declared outside. */
export function persistNested(
  statements: readonly Node[],
  nestedVars: readonly { readonly node: Node; readonly parent: Node }[],
  text: string,
  edits: Edits,
): { readonly prefix: string; readonly suffix: string } {
  const names = new Set<string>();
  let prefix = '';
  for (const statement of statements) {
    if (statement.type === 'VariableDeclaration' && statement.declare !== true) assign(statement, true, text, edits, names);
    else if (statement.type === 'ClassDeclaration' && statement.id) names.add(persistClass(statement, text, edits));
    else if (statement.type === 'FunctionDeclaration' && statement.id)
      prefix += `globalThis.${statement.id.name as string}=${statement.id.name as string};`;
  }
  for (const { node, parent } of nestedVars) {
    if (/^For(?:In|Of)?Statement$/.test(parent.type) && parent.body !== node) {
      edits.overwrite(node.start, node.start + 3);
      for (const each of node.declarations as Node[]) for (const name of bindings(each.id as Node)) names.add(name);
    } else assign(node, parent.type !== 'IfStatement' && parent.body !== node, text, edits, names);
  }
  return { prefix, suffix: names.size > 0 ? `\n;var ${[...names].join(',')}` : '' };
}

/** `const {a} = x;` → `;   ({a} = x);` */
function assign(node: Node, mayPrefix: boolean, text: string, edits: Edits, names: Set<string>): void {
  const { length } = node.kind as string;
  const isVar = node.kind === 'var';
  edits.replace(node.start, node.start + length, `${mayPrefix ? ';' : ' '}${' '.repeat(length - 2)}(`);
  for (const each of node.declarations as Node[]) {
    for (const name of bindings(each.id as Node)) names.add(name);
    if (!each.init) edits.insert(each.end, isVar ? '' : '=void 0');
  }
  const semicolon = text[node.end - 1] === ';';
  edits.insert(semicolon ? node.end - 1 : node.end, semicolon ? ')' : ');');
}

function persistClass(statement: Node, text: string, edits: Edits): string {
  const name = statement.id.name as string;
  // `abstract` may stand in front; the types are blanked elsewhere.
  const start = statement.abstract === true ? text.indexOf('class', statement.start + 'abstract'.length) : statement.start;
  const gap = text.slice(start + 'class'.length, statement.id.start);
  // Only a plain gap keeps its length; a comment in there moves, and the mapping knows.
  edits.replace(start, statement.id.end, `${name}=class${gap.slice(1)}`);
  edits.insert(statement.end, ';');
  return name;
}
