/**
 * Types become spaces: no token of the program moves. Where a type separated two statements, a semicolon takes its first or
 * last place; a parenthesis moves where a line end would stand before `=>`. Enums and parameter properties are the two pieces
 * of TypeScript that run; they are written out (enum-code.ts) and everything behind them stays mapped.
 */
import { eachChild, isFunction, isTypeOnly, type Node } from './ast.ts';
import { blank, type Edits } from './edits.ts';
import { writeEnum } from './enum-code.ts';
import type { Refusal } from './messages.ts';

/** Removes the type syntax of a program, or names the piece that cannot be. */
export function blankTypes(program: Node, text: string, edits: Edits): Refusal | undefined {
  const blanker = new Blanker(text, edits);
  blanker.visit(program, undefined);
  return blanker.refusal;
}

const BODIES = new Set([
  'Program',
  'BlockStatement',
  'StaticBlock',
  'SwitchCase',
  'TSModuleBlock',
  'ClassBody',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
]);
const MODIFIERS = new Set(['public', 'private', 'protected', 'readonly', 'override', 'abstract', 'declare']);

class Blanker {
  refusal: Refusal | undefined;
  readonly #text: string;
  readonly #edits: Edits;
  /** Ends of blanked ranges, with their starts: a statement that ends at one needs a semicolon there. */
  readonly #blanked = new Map<number, number>();
  /** Return types whose last place takes the `)`, type parameters whose first place takes the `(`. */
  readonly #moved = new Set<Node>();
  readonly #opened = new Set<Node>();

  constructor(text: string, edits: Edits) {
    this.#text = text;
    this.#edits = edits;
  }

  visit(node: Node, parent: Node | undefined): void {
    if (node.declare === true || isTypeOnly(node)) return this.#remove(node, parent);
    switch (node.type) {
      case 'ImportDeclaration':
        return this.#statement(node);
      case 'ExportNamedDeclaration':
        // Without a declaration the list of names goes as a whole, elsewhere.
        if (node.declaration) this.visit(node.declaration as Node, node);
        return;
      case 'Decorator':
        return this.#refuse('Decorators are not supported. Call the function instead.', node);
      case 'TSModuleDeclaration':
        return this.#namespace(node);
      case 'TSEnumDeclaration':
        writeEnum(node, this.#text, this.#edits);
        break;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        this.visit(node.expression as Node, node);
        return this.#blank(
          this.#keyword((node.expression as Node).end, node.type === 'TSAsExpression' ? 'as' : 'satisfies'),
          node.end,
        );
      case 'TSNonNullExpression':
        this.visit(node.expression as Node, node);
        return this.#edits.overwrite(node.end - 1, node.end);
      case 'TSTypeAssertion':
        this.#blank(node.start, this.#text.indexOf('>', (node.typeAnnotation as Node).end) + 1);
        return this.visit(node.expression as Node, node);
      case 'TSParameterProperty': {
        const target = node.parameter as Node;
        this.#edits.overwrite(node.start, ((target.left as Node | undefined) ?? target).start);
        return this.visit(target, node);
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#class(node);
        break;
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (this.#member(node)) return;
        break;
      case 'Identifier':
      case 'ObjectPattern':
      case 'ArrayPattern':
        this.#mark(node);
        break;
      case 'VariableDeclarator':
        if (node.definite === true) this.#sign('!', node.id as Node);
        break;
    }
    if (isFunction(node)) this.#function(node);
    eachChild(node, (child) => this.visit(child, node));
    this.#semicolon(node, parent);
  }

  #refuse(message: string, node: Node): void {
    this.refusal ??= { message, offset: node.start };
  }

  #blank(start: number, end: number): void {
    // A statement after this one must not be read as its continuation; see #semicolon.
    this.#blanked.set(end, start);
    this.#edits.overwrite(start, end);
  }

  /** Types alone: the whole node goes. In a list of statements or members a semicolon keeps its neighbours apart. */
  #remove(node: Node, parent: Node | undefined): void {
    if (parent && BODIES.has(parent.type)) this.#statement(node);
    else if (this.#moved.has(node))
      this.#edits.replace(node.start, node.end, `${blank(this.#text.slice(node.start, node.end - 1))})`);
    else if (this.#opened.has(node)) this.#edits.overwrite(node.start, node.end, '(');
    else this.#blank(node.start, node.end);
  }

  #statement(node: Node): void {
    this.#edits.overwrite(node.start, node.end, ';');
  }

  /** `const a = b as T` and a line that starts with `(` or `[`: the type ended the statement, now a semicolon must. */
  #semicolon(node: Node, parent: Node | undefined): void {
    if (!parent || !(BODIES.has(parent.type) && /Statement$|Declaration$|^PropertyDefinition$/.test(node.type))) return;
    const start = this.#blanked.get(node.end);
    if (start === undefined || start >= node.end || /^(?:[ \t]*[;}]|\s*$)/.test(this.#text.slice(node.end, node.end + 200)))
      return;
    this.#edits.replace(node.end, node.end, ';');
  }

  /** Position of a word behind an expression, past closing parentheses and comments. */
  #keyword(from: number, word: string): number {
    let at = from;
    for (;;) {
      const skip = /^(?:[\s)]+|\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(this.#text.slice(at));
      if (!skip) return this.#text.startsWith(word, at) ? at : this.#text.indexOf(word, at);
      at += skip[0].length;
    }
  }

  /** `x?` and `x?: T` of parameters. */
  #mark(node: Node): void {
    if (node.optional === true) this.#sign('?', node);
  }

  #sign(sign: string, node: Node): void {
    const limit = (node.typeAnnotation as Node | undefined)?.start ?? node.end + 1;
    const from = node.type === 'Identifier' ? node.start + (node.name as string).length : node.start;
    const at = node.type === 'Identifier' ? this.#text.indexOf(sign, from) : this.#text.lastIndexOf(sign, limit);
    if (at >= 0 && at <= limit) this.#edits.overwrite(at, at + 1);
  }

  #namespace(node: Node): void {
    if (hasOnlyTypes(node)) return this.#statement(node);
    this.#refuse(
      `\`namespace ${String(node.id.name ?? '')}\` is not supported. Use an object: \`const ${String(node.id.name ?? 'name')} = { … }\`.`,
      node,
    );
  }

  #class(node: Node): void {
    if (node.abstract === true) this.#edits.overwrite(node.start, node.start + 'abstract'.length);
    const parts = (node.implements as Node[] | undefined) ?? [];
    if (parts.length === 0) return;
    const before = this.#text.lastIndexOf('implements', parts[0]!.start);
    this.#edits.overwrite(before, parts[0]!.start);
    let at = parts[0]!.start;
    for (const part of parts) {
      // The commas between; the parts themselves go as types.
      if (part.start > at) this.#edits.overwrite(at, part.start);
      at = part.end;
    }
  }

  /** True when nothing is left of the member. */
  #member(node: Node): boolean {
    if (
      node.abstract === true ||
      node.value?.type === 'TSDeclareMethod' ||
      node.value?.type === 'TSEmptyBodyFunctionExpression'
    ) {
      this.#statement(node);
      return true;
    }
    for (const decorator of (node.decorators as Node[] | undefined) ?? [])
      this.#refuse('Decorators are not supported. Call the function instead.', decorator);
    const key = node.key as Node;
    const head = this.#text.slice(node.start, key.start);
    for (const found of head.matchAll(/\/\*[^]*?\*\/|\/\/[^\n]*|[a-z]+/g)) {
      if (!MODIFIERS.has(found[0])) continue;
      const at = node.start + found.index;
      this.#edits.overwrite(at, at + found[0].length, found.index === 0 ? ';' : '');
    }
    if (node.optional === true || node.definite === true) {
      const after = node.computed ? this.#text.indexOf(']', key.end) : key.end;
      const at = this.#text.slice(after).search(/[?!]/) + after;
      this.#edits.overwrite(at, at + 1);
    }
    if (node.kind === 'constructor') this.#parameterProperties(node.value as Node);
    return false;
  }

  /** `constructor(private name: string)`: the assignment goes to the start of the body, or behind `super(…)`. */
  #parameterProperties(constructor: Node): void {
    const names = (constructor.params as Node[])
      .filter((param) => param.type === 'TSParameterProperty')
      .map((param) => {
        const target = param.parameter as Node;
        return (target.type === 'AssignmentPattern' ? target.left.name : target.name) as string;
      });
    if (names.length === 0) return;
    const code = names.map((name) => `this.${name}=${name};`).join('');
    const superCall = (constructor.body.body as Node[]).find(
      (each) =>
        each.type === 'ExpressionStatement' &&
        each.expression.type === 'CallExpression' &&
        each.expression.callee.type === 'Super',
    );
    if (superCall) this.#edits.insert(superCall.end, `;${code}`);
    else this.#edits.insert((constructor.body as Node).start + 1, code);
  }

  #function(node: Node): void {
    const self = (node.params as Node[])[0];
    if (self?.type === 'Identifier' && self.name === 'this') {
      const comma = /^\s*,/.exec(this.#text.slice(self.end));
      // The name goes here, its type with the other types.
      this.#edits.overwrite(self.start, self.start + 4);
      if (comma) this.#edits.overwrite(self.end, self.end + comma[0].length);
    }
    if (node.type === 'ArrowFunctionExpression') this.#arrow(node);
  }

  /** No line may end between the parameters and `=>`: when the return type did, the closing parenthesis moves to its end. */
  #arrow(node: Node): void {
    const type = node.returnType as Node | undefined;
    if (type && this.#text.slice(type.start, type.end).includes('\n')) {
      const close = this.#text.lastIndexOf(')', type.start);
      this.#edits.overwrite(close, close + 1);
      this.#moved.add(type);
    }
    const parameters = node.typeParameters as Node | undefined;
    if (node.async === true && parameters && this.#text.slice(parameters.start, parameters.end).includes('\n')) {
      const open = this.#text.indexOf('(', parameters.end);
      this.#edits.overwrite(open, open + 1);
      this.#opened.add(parameters);
    }
  }
}

function hasOnlyTypes(node: Node): boolean {
  const body = node.body as Node | undefined;
  if (!body) return true;
  if (body.type === 'TSModuleDeclaration') return hasOnlyTypes(body);
  return (body.body as Node[]).every((each) => {
    const inner = each.type === 'ExportNamedDeclaration' && each.declaration ? (each.declaration as Node) : each;
    return isTypeOnly(inner) || inner.declare === true || (inner.type === 'TSModuleDeclaration' && hasOnlyTypes(inner));
  });
}
