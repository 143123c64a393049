/**
 * One walk over the tree: free names, top-level `return`s, modules, tool calls, and what looks like types read as JavaScript.
 * Long by the number of node types.
 */
import { bindings, eachChild, isTypeOnly, type Node } from './ast.ts';
import { Scope } from './scope.ts';

export interface Survey {
  /** Names used and nowhere declared around the use, with the first use. */
  readonly free: ReadonlyMap<string, Node>;
  /** Names of the program's own scope. */
  readonly declared: ReadonlySet<string>;
  /** For each name that resolves to the program's scope or beyond: the top-level statements that use it. */
  readonly users: ReadonlyMap<string, ReadonlySet<Node>>;
  /** `return` outside of functions. */
  readonly returns: readonly Node[];
  /** `import` and `export` declarations, at any depth. */
  readonly modules: readonly Node[];
  /** `var` declarations outside of functions that are no top-level statement. */
  readonly nestedVars: readonly { readonly node: Node; readonly parent: Node }[];
  /** `using` declarations. */
  readonly using: readonly Node[];
  /** Calls of something below `tools` or `codemode`, or of a bare alias: `tools.x(…)`, `tool_x(…)`. */
  readonly toolCalls: readonly ToolCall[];
  /** Something below `tools` or `codemode` is assigned to or deleted. */
  readonly replacesTools: boolean;
  /** Names that are declared anywhere in the program. */
  readonly shadowed: ReadonlySet<string>;
  /** `a<b>(c)`: type arguments that JavaScript reads as two comparisons. */
  readonly typeArguments: boolean;
}

export interface ToolCall {
  readonly root: string;
  readonly call: Node;
}

export function survey(program: Node, text: string): Survey {
  const walker = new Walker(text);
  walker.program(program);
  return walker;
}

class Walker implements Survey {
  readonly returns: Node[] = [];
  readonly modules: Node[] = [];
  readonly nestedVars: { node: Node; parent: Node }[] = [];
  readonly using: Node[] = [];
  readonly users = new Map<string, Set<Node>>();
  readonly toolCalls: ToolCall[] = [];
  readonly shadowed = new Set<string>();
  replacesTools = false;
  typeArguments = false;

  readonly #text: string;
  #scope = new Scope(undefined, true, this.shadowed);
  readonly #root = this.#scope;
  #functions = 0;
  readonly #uses = new Map<string, Node>();
  #parent: Node | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get free(): ReadonlyMap<string, Node> {
    const free = new Map<string, Node>();
    for (const [name, node] of this.#uses) if (!this.#root.declared.has(name)) free.set(name, node);
    return free;
  }

  get declared(): ReadonlySet<string> {
    return this.#root.declared;
  }

  program(program: Node): void {
    this.#parent = program;
    for (const statement of program.body as Node[]) {
      this.#root.used.clear();
      this.visit(statement);
      for (const [name, node] of this.#root.used) {
        if (!this.#uses.has(name)) this.#uses.set(name, node);
        const users = this.users.get(name);
        if (users) users.add(statement);
        else this.users.set(name, new Set([statement]));
      }
    }
  }

  visit(node: Node): void {
    if (isTypeOnly(node) || node.declare === true) return;
    const parent = this.#parent;
    this.#visit(node, parent);
    this.#parent = parent;
  }

  #visit(node: Node, parent: Node | undefined): void {
    this.#parent = node;
    switch (node.type) {
      case 'Identifier':
        return this.#use(node);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#function(node);
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#class(node);
      case 'VariableDeclaration':
        return this.#variables(node, parent);
      case 'MemberExpression':
        this.visit(node.object as Node);
        if (node.computed) this.visit(node.property as Node);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) this.visit(node.key as Node);
        if (node.value) this.visit(node.value as Node);
        for (const decorator of (node.decorators as Node[] | undefined) ?? []) this.visit(decorator);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
        return this.#inScope(false, () => this.#children(node));
      case 'CatchClause':
        return this.#inScope(false, () => {
          if (node.param) this.#pattern(node.param as Node, (names) => this.#scope.declare(names));
          this.visit(node.body as Node);
        });
      case 'LabeledStatement':
        return this.visit(node.body as Node);
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return;
      case 'ReturnStatement':
        if (this.#functions === 0) this.returns.push(node);
        break;
      case 'BinaryExpression':
        this.#comparison(node);
        break;
      case 'CallExpression': {
        const root = node.optional ? undefined : toolRoot(node.callee as Node);
        if (root !== undefined) this.toolCalls.push({ root, call: node });
        break;
      }
      case 'AssignmentExpression':
        if (toolRoot(node.left as Node) !== undefined) this.replacesTools = true;
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete' && toolRoot(node.argument as Node) !== undefined) this.replacesTools = true;
        break;
      case 'ImportDeclaration':
        this.modules.push(node);
        return this.#scope.declare((node.specifiers as Node[]).map((each) => (each.local as Node).name as string));
      case 'ExportNamedDeclaration':
        this.modules.push(node);
        if (node.declaration) this.visit(node.declaration as Node);
        else if (!node.source && node.exportKind !== 'type')
          for (const each of node.specifiers as Node[]) if (each.local.type === 'Identifier') this.visit(each.local as Node);
        return;
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
      case 'TSExportAssignment':
      case 'TSImportEqualsDeclaration':
        this.modules.push(node);
        break;
      case 'TSEnumDeclaration':
        this.#scope.declare([node.id.name as string]);
        return this.#inScope(false, () => {
          const members = (node.members ?? node.body?.members ?? []) as Node[];
          this.#scope.declare(members.map((member) => (member.id.name ?? member.id.value) as string));
          for (const member of members) if (member.initializer) this.visit(member.initializer as Node);
        });
    }
    this.#children(node);
  }

  #children(node: Node): void {
    eachChild(node, (child) => this.visit(child));
  }

  #use(node: Node): void {
    const name = node.name as string;
    if (!this.#scope.used.has(name)) this.#scope.used.set(name, node);
  }

  #inScope(isFunction: boolean, body: () => void): void {
    const scope = new Scope(this.#scope, isFunction, this.shadowed);
    this.#scope = scope;
    body();
    this.#scope = scope.parent!;
    for (const [name, node] of scope.used) {
      if (scope.declared.has(name)) continue;
      if (!this.#scope.used.has(name)) this.#scope.used.set(name, node);
    }
  }

  #function(node: Node): void {
    const isDeclaration = node.type === 'FunctionDeclaration';
    if (isDeclaration && node.id) {
      this.#scope.declare([node.id.name as string]);
      if (this.#scope !== this.#root) this.#scope.hoist([node.id.name as string]);
    }
    this.#functions++;
    this.#inScope(true, () => {
      if (!isDeclaration && node.id) this.#scope.declare([node.id.name as string]);
      if (node.type !== 'ArrowFunctionExpression') this.#scope.declare(['arguments']);
      for (const param of node.params as Node[]) this.#pattern(param, (names) => this.#scope.declare(names));
      if (node.body?.type === 'BlockStatement') this.#children(node.body as Node);
      else if (node.body) this.visit(node.body as Node);
    });
    this.#functions--;
  }

  #class(node: Node): void {
    if (node.type === 'ClassDeclaration' && node.id) this.#scope.declare([node.id.name as string]);
    for (const decorator of (node.decorators as Node[] | undefined) ?? []) this.visit(decorator);
    this.#functions++;
    this.#inScope(false, () => {
      if (node.id) this.#scope.declare([node.id.name as string]);
      if (node.superClass) this.visit(node.superClass as Node);
      for (const member of node.body.body as Node[]) this.visit(member);
    });
    this.#functions--;
  }

  #variables(node: Node, parent: Node | undefined): void {
    const kind = node.kind as string;
    if (kind !== 'var' && kind !== 'let' && kind !== 'const') this.using.push(node);
    if (
      kind === 'var' &&
      this.#functions === 0 &&
      parent &&
      parent.type !== 'Program' &&
      parent.type !== 'ExportNamedDeclaration'
    ) {
      this.nestedVars.push({ node, parent });
    }
    for (const declarator of node.declarations as Node[]) {
      this.#pattern(declarator.id as Node, (names) => (kind === 'var' ? this.#scope.hoist(names) : this.#scope.declare(names)));
      if (declarator.init) this.visit(declarator.init as Node);
    }
  }

  /** Declares the names of a binding pattern and visits the expressions inside. */
  #pattern(pattern: Node, declare: (names: string[]) => void): void {
    declare(bindings(pattern));
    this.#defaults(pattern);
  }

  #defaults(pattern: Node | null): void {
    switch (pattern?.type) {
      case 'AssignmentPattern':
        this.#defaults(pattern.left as Node);
        return this.visit(pattern.right as Node);
      case 'ObjectPattern':
        for (const property of pattern.properties as Node[]) {
          if (property.computed) this.visit(property.key as Node);
          this.#defaults(property.type === 'RestElement' ? property : (property.value as Node));
        }
        return;
      case 'ArrayPattern':
        for (const element of pattern.elements as (Node | null)[]) this.#defaults(element);
        return;
      case 'RestElement':
        return this.#defaults(pattern.argument as Node);
      case 'TSParameterProperty':
        return this.#defaults(pattern.parameter as Node);
    }
  }

  /** `f<T>(x)` parses as `(f < T) > (x)`: nobody compares the result of a comparison with a parenthesis on purpose. */
  #comparison(node: Node): void {
    if (node.operator !== '>' || this.#text[node.right.start - 1] !== '(') return;
    const left = node.left as Node;
    const near = this.#text.slice(left.end, node.right.start);
    if (left.type === 'BinaryExpression' && left.operator === '<' && near.startsWith('>(')) this.typeArguments = true;
    // `g(f<A, B>(x))`: the first half of the type arguments became another argument.
    if (
      left.type === 'Identifier' &&
      near === '>(' &&
      /<\s*[\w.[\], ]+,\s*$/.test(this.#text.slice(Math.max(0, left.start - 80), left.start))
    )
      this.typeArguments = true;
  }
}

/** `tools` of `tools.x`, `tools.server.x` or `tools['x']`; the name itself of `tool_x` and `external_x`. */
function toolRoot(node: Node): string | undefined {
  if (node.type === 'Identifier') return /^(?:tool|external)_/.test(node.name as string) ? (node.name as string) : undefined;
  let at = node;
  for (let depth = 0; at.type === 'MemberExpression' && depth < 3; depth++) {
    if (at.optional || PASSING.has(at.property.name as string)) return undefined;
    at = at.object as Node;
  }
  const name = at !== node && at.type === 'Identifier' ? (at.name as string) : undefined;
  return name === 'tools' || name === 'codemode' ? name : undefined;
}

/** Their arguments are not those of the tool. */
const PASSING = new Set(['call', 'apply', 'bind']);
