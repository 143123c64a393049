/**
 * What a program says about its tool calls, for a look before it runs. The page judges it with the catalogue. One walk over the
 * tree, long by the number of forms a call can have.
 */
import { encode } from '../../src/protocol/codec.ts';
import type { EncodedText, NameTable, ProgramFacts, ProgramFailure, ToolReference } from '../../src/protocol/wire.ts';
import { bare, eachChild, isTypeOnly, type Node } from './ast.ts';
import { holds, invokedFunction, isUncertain, mayLeave, programFunction } from './certainty.ts';
import { type Normalised, type NormaliseOptions, tooDeep, understand, type Understood, write } from './normalise.ts';

/** Facts of a text; a text that is no program has only its error. Never throws. */
export function analyze(source: string, names: NameTable): ProgramFacts {
  try {
    return read(source, names);
  } catch (error) {
    return unreadable(tooDeep(error));
  }
}

/** A program ready for the engine, and what it says about its calls: both from one parse. Never throws. */
export function normaliseAndAnalyze(
  source: string,
  names: NameTable,
  options: NormaliseOptions,
): { readonly program: Normalised; readonly facts?: ProgramFacts } {
  try {
    const understood = understand(source);
    if ('failure' in understood) return { program: { ok: false, failure: understood.failure } };
    return { program: write(understood, options), facts: factsOf(understood, names) };
  } catch (error) {
    return { program: { ok: false, failure: tooDeep(error) } };
  }
}

function unreadable(syntaxError: ProgramFailure): ProgramFacts {
  return { syntaxError, references: [], computedName: false, freeIdentifiers: [] };
}

function read(source: string, names: NameTable): ProgramFacts {
  const understood = understand(source);
  return 'failure' in understood ? unreadable(understood.failure) : factsOf(understood, names);
}

function factsOf(understood: Understood, names: NameTable): ProgramFacts {
  const finder = new Finder(understood, names);
  finder.program();
  return {
    references: finder.references,
    computedName: finder.computedName,
    freeIdentifiers: [...understood.facts.free.keys()].sort(),
  };
}

/** Members of `codemode` that are no tools. */
const OWN = new Set(['search', 'describe', 'invoke', 'invoke_tools', 'emit', 'results']);

class Finder {
  readonly references: ToolReference[] = [];
  computedName = false;
  readonly #understood: Understood;
  readonly #names: NameTable;
  /** Branches, loops, functions and tries around; and whether the program may have left before. */
  #conditions = 0;
  /** Places around, since the last `await`, that may keep a promise for somebody who catches its failure. */
  #holders = 0;
  /** Function of the program that is certain to be called. */
  #called: Node | undefined;

  constructor(understood: Understood, names: NameTable) {
    this.#understood = understood;
    this.#names = names;
  }

  program(): void {
    const { program } = this.#understood;
    this.#called = programFunction(program);
    this.#statements(program.body as Node[], program);
  }

  #statements(body: readonly Node[], parent: Node): void {
    const before = this.#conditions;
    for (const statement of body) {
      this.#visit(statement, parent);
      if (mayLeave(statement)) this.#conditions++;
    }
    this.#conditions = before;
  }

  #visit(node: Node, parent: Node | undefined): void {
    if (isTypeOnly(node) || node.declare === true) return;
    if (node.type === 'Identifier' && !isName(node, parent)) this.#identifier(node, parent);
    if (node.type === 'MemberExpression' && this.#member(node, parent)) return;
    if (node.type === 'VariableDeclarator' && node.init && this.#destructured(node)) return;
    if (node === this.#called) return this.#function(node);
    this.#called = invokedFunction(node) ?? this.#called;
    const uncertain = isUncertain(node) ? 1 : 0;
    const holders = this.#holders;
    if (node.type === 'AwaitExpression') this.#holders = 0;
    this.#conditions += uncertain;
    eachChild(node, (child) => this.#part(child, node));
    this.#conditions -= uncertain;
    this.#holders = holders;
  }

  #part(child: Node, node: Node): void {
    const held = holds(child, node) ? 1 : 0;
    this.#holders += held;
    this.#visit(child, node);
    this.#holders -= held;
  }

  /** A function that runs where it stands; what it rejects with is its caller's to catch. */
  #function(node: Node): void {
    const held = this.#holders > 0 ? 1 : 0;
    this.#conditions += held;
    for (const param of node.params as Node[]) this.#visit(param, node);
    const body = node.body as Node;
    if (body.type === 'BlockStatement') this.#statements(body.body as Node[], body);
    else this.#visit(body, node);
    this.#conditions -= held;
  }

  #isGlobal(node: Node, ...names: readonly string[]): boolean {
    return (
      node.type === 'Identifier' && names.includes(node.name as string) && this.#understood.facts.free.has(node.name as string)
    );
  }

  /** `tool_x`, `external_x`; `tools` handed on as a value. */
  #identifier(node: Node, parent: Node | undefined): void {
    const name = node.name as string;
    if (this.#isGlobal(node, 'tools', 'codemode')) {
      this.computedName = true;
      return;
    }
    const alias = /^(?:tool_|external_)(.+)$/.exec(name);
    if (!alias || !this.#understood.facts.free.has(name)) return;
    this.#reference(this.#byIdentifier(alias[1]!), alias[1]!, node, parent);
  }

  /** `tools.x`, `tools['x']`, `tools.server.x`, `codemode.x`, `codemode.invoke([…])`. True when it was one and is done. */
  #member(node: Node, parent: Node | undefined): boolean {
    const object = bare(node.object as Node);
    if (this.#isGlobal(object, 'tools', 'codemode')) {
      const key = memberName(node);
      if (key === undefined) {
        this.computedName = true;
        this.#visit(node.property as Node, node);
        return true;
      }
      if (object.name === 'codemode' && OWN.has(key)) {
        if (key === 'invoke' || key === 'invoke_tools') this.#batch(parent);
        return true;
      }
      // The namespace itself: its member was looked at one level up, so here it is a value that may hold any of them.
      if (Object.hasOwn(this.#names.namespaces, key) && this.#byKey(key, node) === undefined) this.computedName = true;
      else this.#reference(this.#byKey(key, node), key, node, parent);
      return true;
    }
    if (object.type !== 'MemberExpression' || !this.#isGlobal(bare(object.object as Node), 'tools', 'codemode')) return false;
    const space = memberName(object);
    if (space === undefined || !Object.hasOwn(this.#names.namespaces, space)) return false;
    const key = memberName(node);
    if (key === undefined) this.computedName = true;
    else {
      const members = this.#names.namespaces[space]!;
      this.#reference(Object.hasOwn(members, key) ? members[key] : undefined, `${space}.${key}`, node, parent);
    }
    return true;
  }

  /** `const { a, b: c } = tools` */
  #destructured(node: Node): boolean {
    const init = bare(node.init as Node);
    if (!this.#isGlobal(init, 'tools', 'codemode') || node.id.type !== 'ObjectPattern') return false;
    for (const property of node.id.properties as Node[]) {
      const key = property.type === 'RestElement' ? undefined : memberName({ ...property, property: property.key as Node });
      if (key === undefined) this.computedName = true;
      else if (init.name === 'codemode' && OWN.has(key)) continue;
      else if (Object.hasOwn(this.#names.namespaces, key) && this.#byIdentifier(key) === undefined) this.computedName = true;
      else this.#reference(this.#byIdentifier(key) ?? this.#byOriginal(key), key, property, undefined);
    }
    return true;
  }

  /** `codemode.invoke([{ server_name, tool_name, tool_params }])` */
  #batch(call: Node | undefined): void {
    const list = call?.type === 'CallExpression' ? bare((call.arguments as Node[])[0] ?? call) : undefined;
    if (list?.type !== 'ArrayExpression') {
      this.computedName = true;
      return;
    }
    for (const item of list.elements as (Node | null)[]) {
      const entry = item ? bare(item) : undefined;
      const field = (name: string): Node | undefined =>
        entry?.type === 'ObjectExpression'
          ? (entry.properties as Node[]).find(
              (each) => each.type === 'Property' && memberName({ ...each, property: each.key as Node }) === name,
            )?.value
          : undefined;
      const tool = field('tool_name');
      const name = tool ? literal(tool) : undefined;
      if (!tool || !name || typeof name.value !== 'string') {
        this.computedName = true;
        continue;
      }
      const server = field('server_name');
      const space = server ? literal(server)?.value : undefined;
      const params = field('tool_params');
      const input = params ? encoded(params) : encode(undefined);
      if (typeof space === 'string' && space !== '')
        this.#push(this.#inSpace(space, name.value), `${space}.${name.value}`, tool, input);
      else this.#push(this.#byIdentifier(name.value) ?? this.#byOriginal(name.value), name.value, tool, input);
    }
  }

  /** As `codemode.invoke` finds it: by the member's identifier or the original name, with or without the server's. */
  #inSpace(space: string, key: string): number | undefined {
    const { names, namespaces } = this.#names;
    const whole = `${space}.${key}`;
    if (!Object.hasOwn(namespaces, space)) return this.#byOriginal(whole);
    const members = namespaces[space]!;
    if (Object.hasOwn(members, key)) return members[key];
    return Object.values(members).find((index) => names[index] === key || names[index] === whole);
  }

  #byIdentifier(identifier: string): number | undefined {
    return Object.hasOwn(this.#names.identifiers, identifier) ? this.#names.identifiers[identifier] : undefined;
  }

  #byOriginal(name: string): number | undefined {
    const index = this.#names.names.indexOf(name);
    return index < 0 ? undefined : index;
  }

  #byKey(key: string, node: Node): number | undefined {
    // A quoted name is an original name first.
    return node.computed
      ? (this.#byOriginal(key) ?? this.#byIdentifier(key))
      : (this.#byIdentifier(key) ?? this.#byOriginal(key));
  }

  #reference(index: number | undefined, written: string, node: Node, parent: Node | undefined): void {
    const isCall = parent?.type === 'CallExpression' && bare(parent.callee as Node) === node;
    const argument = isCall ? (parent.arguments as Node[])[0] : undefined;
    this.#push(index, written, node, argument ? encoded(argument) : isCall ? encode(undefined) : undefined, isCall);
  }

  #push(index: number | undefined, written: string, node: Node, literalInput: EncodedText | undefined, isCall = true): void {
    this.references.push({
      tool: index === undefined ? written : this.#names.names[index]!,
      known: index !== undefined,
      site: this.#understood.position(node.start),
      ...(literalInput === undefined ? {} : { literalInput }),
      unconditional: isCall && this.#conditions + this.#holders === 0,
    });
  }
}

/** True where an identifier is a name and no value. */
function isName(node: Node, parent: Node | undefined): boolean {
  if (!parent) return false;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property' || parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition')
    return parent.key === node && !parent.computed && parent.value !== node && parent.shorthand !== true;
  return parent.type === 'LabeledStatement' || parent.type === 'BreakStatement' || parent.type === 'ContinueStatement';
}

/** Name of a member that is written out. */
function memberName(node: Node): string | undefined {
  const property = node.property as Node;
  if (!node.computed && property.type === 'Identifier') return property.name as string;
  const known = literal(property);
  return known && (typeof known.value === 'string' || typeof known.value === 'number') ? String(known.value) : undefined;
}

function encoded(node: Node): EncodedText | undefined {
  const known = literal(node);
  if (!known) return undefined;
  try {
    return encode(known.value, { dropUndefined: true });
  } catch {
    return undefined;
  }
}

/** The value of an expression that is data through and through. */
function literal(expression: Node): { readonly value: unknown } | undefined {
  const node = bare(expression);
  switch (node.type) {
    case 'Literal':
      return node.regex ? undefined : { value: node.value as unknown };
    case 'TemplateLiteral':
      return (node.expressions as Node[]).length === 0 ? { value: node.quasis[0].value.cooked as unknown } : undefined;
    case 'Identifier':
      return node.name === 'undefined' ? { value: undefined } : undefined;
    case 'UnaryExpression': {
      const inner = literal(node.argument as Node);
      if (!inner) return undefined;
      if (node.operator === '-' && (typeof inner.value === 'number' || typeof inner.value === 'bigint'))
        return { value: -inner.value };
      return node.operator === '!' ? { value: !inner.value } : undefined;
    }
    case 'ArrayExpression': {
      const items: unknown[] = [];
      for (const element of node.elements as (Node | null)[]) {
        const item = element ? literal(element) : undefined;
        if (!item) return undefined;
        items.push(item.value);
      }
      return { value: items };
    }
    case 'ObjectExpression': {
      const value: Record<string, unknown> = {};
      for (const property of node.properties as Node[]) {
        const key =
          property.type === 'Property' && property.kind === 'init'
            ? memberName({ ...property, property: property.key as Node })
            : undefined;
        const item = key === undefined ? undefined : literal(property.value as Node);
        // `__proto__: x` in a literal sets the prototype: no plain data.
        if (!item || key === undefined || key === '__proto__') return undefined;
        value[key] = item.value;
      }
      return { value };
    }
    default:
      return undefined;
  }
}
