/** What is certain to run, and whose failure nothing in the program can catch. Asked while walking down the tree. */
import { bare, eachChild, isFunction, type Node } from './ast.ts';
import { hasEffect } from './statements.ts';

const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'SwitchStatement',
  'TryStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'LabeledStatement',
  'ClassBody',
]);

/** True when what stands inside of the node may not run, or may fail without ending the program. */
export function isUncertain(node: Node): boolean {
  if (BRANCHES.has(node.type) || isFunction(node)) return true;
  return node.type === 'CallExpression' && (node.optional === true || catches(node));
}

/** `p.catch(f)`, `p.then(f, g)`. */
function catches(call: Node): boolean {
  const callee = bare(call.callee as Node);
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  const { name } = callee.property as Node;
  return name === 'catch' || (name === 'then' && (call.arguments as Node[]).length > 1);
}

/** True when a promise inside of this part is kept or handed on: whoever gets it may catch its failure. */
export function holds(part: Node, parent: Node): boolean {
  if (parent.type === 'VariableDeclarator' || parent.type === 'AssignmentExpression') return true;
  const isArgument = (parent.type === 'CallExpression' || parent.type === 'NewExpression') && part !== parent.callee;
  return isArgument && !isPromiseAll(parent);
}

/** It fails with the first of its promises, like they would alone. */
function isPromiseAll(call: Node): boolean {
  const callee = bare(call.callee as Node);
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  return (callee.object as Node).name === 'Promise' && (callee.property as Node).name === 'all';
}

/** The function that the program as a whole is: alone in it, or `export default`. The host calls it. */
export function programFunction(program: Node): Node | undefined {
  const effective = (program.body as Node[]).filter((each) => hasEffect(each) || each.type === 'ExportDefaultDeclaration');
  const last = effective.at(-1);
  if (last === undefined) return undefined;
  const whole =
    last.type === 'ExportDefaultDeclaration' ? (last.declaration as Node) : effective.length === 1 ? last.expression : undefined;
  return whole === undefined ? undefined : called(whole as Node);
}

/** The function of `(async () => { … })()`. */
export function invokedFunction(node: Node): Node | undefined {
  return node.type === 'CallExpression' && node.optional !== true ? called(node.callee as Node) : undefined;
}

function called(expression: Node): Node | undefined {
  const node = bare(expression);
  return isFunction(node) && node.generator !== true ? node : undefined;
}

/** True when the statements behind this one may not run: it can return or throw on the way. */
export function mayLeave(statement: Node): boolean {
  if (statement.type === 'ReturnStatement' || statement.type === 'ThrowStatement') return true;
  if (isFunction(statement)) return false;
  let leaves = false;
  eachChild(statement, (child) => {
    leaves ||= mayLeave(child);
  });
  return leaves;
}
