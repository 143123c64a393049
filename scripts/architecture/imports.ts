/** Reads what a source file imports: static, re-exported, type-only, `import('…')` types and dynamic imports. */
import ts from 'typescript';

export interface Import {
  readonly specifier: string;
  /** Nothing of it is left when types are erased. */
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
  readonly line: number;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name && !!named && ts.isNamedImports(named) && named.elements.length > 0 && named.elements.every((e) => e.isTypeOnly)
  );
}

/**
 * All imports of one file.
 * @throws Error on a dynamic import whose specifier is computed: nobody could check it.
 */
export function readImports(path: string, text: string): Import[] {
  const file = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.ES2023,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: string, typeOnly: boolean, dynamic = false): void => {
    found.push({ specifier, typeOnly, dynamic, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node, node.moduleSpecifier.text, isTypeOnly(node));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      add(node, node.argument.literal.text, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (!argument || !ts.isStringLiteralLike(argument))
        throw new Error(`${path}: import() of a computed name cannot be checked.`);
      add(node, argument.text, false, true);
    } else if (ts.isCallExpression(node) && isBuiltinLookup(node)) {
      add(node, (node.arguments[0] as ts.StringLiteral).text, false, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `process.getBuiltinModule('node:…')` is an import, too. */
function isBuiltinLookup(node: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'getBuiltinModule' &&
    node.arguments.length === 1 &&
    ts.isStringLiteral(node.arguments[0]!)
  );
}

/** True when the file only hands on what others define: the form of a public entry. */
export function isReExportOnly(path: string, text: string): boolean {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  return file.statements.every(
    (s) => (ts.isExportDeclaration(s) && s.moduleSpecifier) || (ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression)),
  );
}
