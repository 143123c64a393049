/** Questions about single statements of a program. */
import { bare, bindings, isFunction, isTypeOnly, type Node } from './ast.ts';

/** A function of the program's own scope that a call without arguments may start. */
export interface Callable {
  readonly name: string;
  readonly node: Node;
  /** The top-level statement that declares it. */
  readonly statement: Node;
}

/** Functions by declaration and by `const f = …`, in order; generators give no value when called. */
export function callables(statements: readonly Node[]): Callable[] {
  return statements.flatMap((outer) => {
    const statement = (outer.type.startsWith('Export') && (outer.declaration as Node | null)) || outer;
    if (statement.type === 'FunctionDeclaration' && statement.id && !statement.generator) {
      return [{ name: statement.id.name as string, node: statement, statement: outer }];
    }
    if (statement.type !== 'VariableDeclaration') return [];
    return (statement.declarations as Node[]).flatMap((each) => {
      const init = each.init ? bare(each.init as Node) : undefined;
      return each.id.type === 'Identifier' && isFunction(init)
        ? [{ name: each.id.name as string, node: init, statement: outer }]
        : [];
    });
  });
}

/** Statements that run; hoisted functions, types and directives give no value. */
export function hasEffect(statement: Node): boolean {
  if (statement.type === 'EmptyStatement' || statement.type === 'FunctionDeclaration' || isNothing(statement)) return false;
  return !(typeof statement.directive === 'string' && /^use \w+$/.test(statement.directive as string));
}

/** Statements that leave no code: types, imports of types, directives, `;`. */
export function isNothing(statement: Node): boolean {
  if (
    statement.type === 'EmptyStatement' ||
    isTypeOnly(statement) ||
    statement.declare === true ||
    statement.type === 'TSModuleDeclaration'
  )
    return true;
  return (
    statement.type === 'ImportDeclaration' ||
    (typeof statement.directive === 'string' && /^use \w+$/.test(statement.directive as string))
  );
}

/** Declarations that call nothing: constants, classes, functions. */
export function isInert(statement: Node): boolean {
  if (statement.type === 'ClassDeclaration' || statement.type === 'TSEnumDeclaration') return true;
  return (
    statement.type === 'VariableDeclaration' &&
    (statement.declarations as Node[]).every((each) => !each.init || isQuiet(bare(each.init as Node)))
  );
}

function isQuiet(node: Node): boolean {
  if (isFunction(node) || node.type === 'Literal' || node.type === 'Identifier') return true;
  if (node.type === 'ArrayExpression') return (node.elements as (Node | null)[]).every((each) => !each || isQuiet(bare(each)));
  if (node.type === 'ObjectExpression')
    return (node.properties as Node[]).every((each) => each.type === 'Property' && isQuiet(bare(each.value as Node)));
  if (node.type === 'UnaryExpression') return isQuiet(node.argument as Node);
  if (node.type === 'BinaryExpression') return isQuiet(node.left as Node) && isQuiet(node.right as Node);
  if (node.type === 'TemplateLiteral') return (node.expressions as Node[]).every(isQuiet);
  return false;
}

/** True when a top-level variable is called `result`. */
export function declaresResult(statements: readonly Node[]): boolean {
  return statements.some((each) => {
    if (each.type === 'VariableDeclaration' && each.declare !== true) {
      return (each.declarations as Node[]).some(
        (declarator) => bindings(declarator.id as Node).includes('result') && !isFunction(declarator.init as Node | null),
      );
    }
    return false;
  });
}

/** `void main()`: the habit of a linter, not a wish to lose the value. */
export function isVoidCall(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === 'void' && node.argument.type === 'CallExpression';
}

/** `module.exports = …`, `exports.default = …` */
export function isCommonJs(node: Node): boolean {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=' || node.left.type !== 'MemberExpression') return false;
  const { object, property } = node.left as Node;
  return (object.name === 'module' && property.name === 'exports') || (object.name === 'exports' && property.name === 'default');
}
