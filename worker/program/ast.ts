/** The little that the normaliser needs to know about a syntax tree; the parsers' own types differ between JS and TS. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // Every other field depends on `type`; each reader checks that first.
  readonly [field: string]: any;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Calls `visit` for each child node, in the order of the parser's fields. */
export function eachChild(node: Node, visit: (child: Node) => void): void {
  for (const field in node) {
    const value: unknown = node[field];
    if (typeof value !== 'object' || value === null || field === 'loc') continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item);
    } else if (isNode(value)) visit(value);
  }
}

export interface FunctionNode extends Node {
  readonly params: readonly Node[];
}

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression' || node?.type === 'FunctionDeclaration';
}

/** The expression inside of type assertions. */
export function bare(node: Node): Node {
  let inner = node;
  while (WRAPPERS.has(inner.type)) inner = inner.expression as Node;
  return inner;
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
]);

/** True for a node that holds types only; false for the few TypeScript nodes that have a value inside. */
export function isTypeOnly(node: Node): boolean {
  return node.type.startsWith('TS') && !WRAPPERS.has(node.type) && !VALUES.has(node.type);
}

const VALUES = new Set([
  'TSEnumDeclaration',
  'TSEnumMember',
  'TSParameterProperty',
  'TSExportAssignment',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSImportEqualsDeclaration',
]);

/** Binding names of a pattern. */
export function bindings(pattern: Node | null, found: string[] = []): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      found.push(pattern.name as string);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties as Node[])
        bindings(property.type === 'RestElement' ? property : (property.value as Node), found);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements as (Node | null)[]) bindings(element, found);
      break;
    case 'AssignmentPattern':
      bindings(pattern.left as Node, found);
      break;
    case 'RestElement':
      bindings(pattern.argument as Node, found);
      break;
    case 'TSParameterProperty':
      bindings(pattern.parameter as Node, found);
      break;
  }
  return found;
}
