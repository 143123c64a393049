/**
 * From statements to a program with a value: which statement gives it, what must be called, how an early `return` and a
 * session's declarations are written so that the engine accepts them.
 */
import type { Warning } from '../../src/protocol/wire.ts';
import { bare, isFunction, isTypeOnly, type Node } from './ast.ts';
import { blank, type Edits } from './edits.ts';
import { persistNested, persistTopLevel } from './session-form.ts';
import { type Callable, callables, declaresResult, hasEffect, isCommonJs, isInert, isNothing, isVoidCall } from './statements.ts';
import type { Survey } from './survey.ts';
import type { ProgramForm } from './types.ts';

export interface Shape {
  readonly form: ProgramForm;
  readonly callCompletion: boolean;
  readonly hasValue: boolean;
  readonly warnings: readonly Warning[];
  /** Names that the added code uses. */
  readonly uses: readonly string[];
}

/** Writes the edits of one program and says how its value is found. */
export function shape(program: Node, text: string, facts: Survey, edits: Edits, session: boolean): Shape {
  return new Shaper(program, text, facts, edits, session).run();
}

class Shaper {
  readonly #program: Node;
  readonly #text: string;
  readonly #facts: Survey;
  readonly #edits: Edits;
  readonly #session: boolean;
  readonly #uses: string[] = [];
  /** Code behind the program, each on a line of its own. */
  #suffix = '';
  #form: ProgramForm = 'statements';
  /** Function that `export default` or `export { x as default }` names. */
  #entry: string | undefined;

  constructor(program: Node, text: string, facts: Survey, edits: Edits, session: boolean) {
    this.#program = program;
    this.#text = text;
    this.#facts = facts;
    this.#edits = edits;
    this.#session = session;
  }

  run(): Shape {
    const statements = (this.#program.body as Node[])
      .map((statement) => this.#unexport(statement))
      .filter((each) => each !== undefined);
    const effective = statements.filter(hasEffect);
    const last = effective.at(-1);
    const returns = this.#facts.returns;
    const single = returns.length === 1 && returns[0] === last;
    const wraps = returns.length > 0 && !single;
    for (const statement of statements)
      if (statement.isDefault === true) this.#writeDefault(statement, wraps && statement === last ? 'return' : '');
    if (wraps) return this.#wrapped(statements, last);
    if (this.#session) this.#suffix += persistTopLevel(statements, this.#text, this.#edits);
    const result = single
      ? this.#finalReturn(last!)
      : last?.type === 'ExpressionStatement'
        ? this.#expression(last)
        : this.#declarations(statements, effective);
    this.#edits.insert(this.#text.length, this.#suffix);
    return result;
  }

  #done(rest: Partial<Shape>): Shape {
    return { form: this.#form, callCompletion: false, hasValue: true, warnings: [], uses: this.#uses, ...rest };
  }

  /** Takes `export` off; gives the statement that is left, if any. */
  #unexport(statement: Node): Node | undefined {
    if (statement.type === 'ExportNamedDeclaration') {
      const declaration = statement.declaration as Node | null;
      if (declaration) {
        this.#edits.overwrite(statement.start, declaration.start);
        return declaration;
      }
      const asDefault = (statement.specifiers as Node[]).find(
        (each) => (each.exported.name ?? each.exported.value) === 'default',
      );
      if (asDefault) this.#entry = asDefault.local.name as string;
      this.#edits.overwrite(statement.start, statement.end, ';');
      return undefined;
    }
    if (statement.type !== 'ExportDefaultDeclaration') return statement;
    const declaration = statement.declaration as Node;
    if (isTypeOnly(declaration)) {
      this.#edits.overwrite(statement.start, declaration.start);
      return undefined;
    }
    this.#form = 'module';
    const named = (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id;
    if (named) {
      this.#edits.overwrite(statement.start, declaration.start);
      if (declaration.type === 'FunctionDeclaration') this.#entry = declaration.id.name as string;
      return declaration;
    }
    return { type: 'ExpressionStatement', start: statement.start, end: statement.end, expression: declaration, isDefault: true };
  }

  /** `export default X` becomes `(X)`, or `return (X)`. */
  #writeDefault(statement: Node, lead = ''): void {
    this.#parenthesise(statement.start, statement.expression.start as number, this.#tail(statement), lead);
  }

  /** `keyword X;` → `;     (X)`: the semicolon in front, because the line before may end without one. */
  #parenthesise(start: number, inner: number, tail: number, lead = ''): void {
    const keyword = this.#text.slice(start, inner);
    const word = /^(?:export\s+default|return)/.exec(keyword)![0].length;
    const head = `;${lead}`;
    this.#edits.replace(start, start + word, `${head}${blank(this.#text.slice(start + head.length, start + word - 1))}(`);
    this.#close(tail);
  }

  /** Puts `)` at the end of a statement: over its semicolon when nothing follows on the line. */
  #close(tail: number): void {
    if (this.#text[tail] === ';' && /^[ \t]*(?:\/\/.*)?$/.test(this.#restOfLine(tail + 1)))
      this.#edits.replace(tail, tail + 1, ')');
    else this.#edits.insert(tail, this.#text[tail] === ';' ? ')' : ');');
  }

  #restOfLine(from: number): string {
    const end = this.#text.indexOf('\n', from);
    return this.#text.slice(from, end < 0 ? undefined : end).replace(/\r$/, '');
  }

  /** Where a statement ends, its semicolon not counted. */
  #tail(statement: Node): number {
    return this.#text[statement.end - 1] === ';' ? statement.end - 1 : statement.end;
  }

  /** The last statement is the only `return`: its keyword becomes a parenthesis, everything else stays where it is. */
  #finalReturn(statement: Node): Shape {
    const argument = statement.argument as Node | null;
    if (!argument) {
      this.#edits.overwrite(statement.start, this.#tail(statement), ';');
      this.#suffix += '\n;void 0';
      return this.#done({ hasValue: false });
    }
    this.#parenthesise(statement.start, argument.start, this.#tail(statement));
    return this.#done({ callCompletion: this.#isCallable(argument) });
  }

  #expression(statement: Node): Shape {
    const expression = statement.expression as Node;
    const inner = bare(expression);
    if (isVoidCall(inner)) {
      this.#edits.overwrite(inner.start, inner.start + 4, statement.start === inner.start ? ';' : '');
      return this.#done({});
    }
    if (isCommonJs(inner)) {
      this.#form = 'module';
      const value = inner.right as Node;
      this.#edits.overwrite(statement.start, (inner.left as Node).end, ';');
      const sign = this.#text.indexOf('=', (inner.left as Node).end);
      this.#edits.replace(sign, sign + 1, '(');
      this.#close(this.#tail(statement));
      return this.#called(value, statement, true);
    }
    return this.#called(inner, statement, statement.isDefault === true);
  }

  /** The value of the program is this expression; a function is called. */
  #called(expression: Node, statement: Node, closed: boolean): Shape {
    const callable = this.#isCallable(expression);
    const isLiteral = isFunction(expression);
    if (isLiteral && this.#form === 'statements' && (this.#program.body as Node[]).filter(hasEffect).length === 1)
      this.#form = 'function';
    const argument = isLiteral ? this.#argument(expression) : undefined;
    if (isLiteral && (argument || statement.needsParens)) {
      const start = closed ? expression.start : statement.start;
      this.#edits.insert(start, '(');
      this.#edits.insert(closed ? expression.end : this.#tail(statement), argument ? `)(${argument})` : ')');
      return this.#done({ callCompletion: !argument });
    }
    return this.#done({ callCompletion: callable });
  }

  /** What a function with a parameter gets: the tools, under whatever name it knows them. */
  #argument(node: Node): string | undefined {
    const first = (node.params as Node[]).filter((param) => param.name !== 'this')[0];
    if (!first) return undefined;
    if (first.type === 'ObjectPattern') {
      const keys = (first.properties as Node[]).map((property) => (property.key?.name ?? '') as string);
      if (keys.length > 0 && keys.every((key) => key === 'tools' || key === 'codemode' || key === 'console')) {
        this.#uses.push('tools', 'codemode');
        return '{tools,codemode,console}';
      }
    } else if (first.type === 'Identifier' && first.name === 'codemode') {
      this.#uses.push('codemode');
      return 'codemode';
    } else if (first.type !== 'Identifier') return undefined;
    this.#uses.push('tools');
    return 'tools';
  }

  #isCallable(expression: Node): boolean {
    const inner = bare(expression);
    if (isFunction(inner)) return true;
    return inner.type === 'Identifier' && callables(this.#program.body as Node[]).some((each) => each.name === inner.name);
  }

  /** No value on the surface: a `result` variable, or a function that was surely meant to be called. */
  #declarations(statements: readonly Node[], effective: readonly Node[]): Shape {
    if (declaresResult(statements)) {
      this.#suffix += '\n;result';
      return this.#done({});
    }
    if (statements.every(isNothing)) {
      this.#suffix += '\n;void 0';
      const message = 'The program holds no statement, only comments or types. Write the statements that should run.';
      return this.#done({ form: 'empty', hasValue: false, warnings: [{ code: 'no_value', message }] });
    }
    const idle = callables(this.#program.body as Node[]).filter((each) => this.#isIdle(each));
    const onlyDeclarations = effective.every(isInert);
    const entry = idle.find((each) => each.name === this.#entry) ?? idle.find((each) => each.name === 'main');
    const all = callables(this.#program.body as Node[]);
    const chosen = entry ?? (onlyDeclarations && all.length === 1 && this.#argumentsKnown(all[0]!.node) ? idle[0] : undefined);
    if (chosen) {
      const argument = this.#argument(chosen.node) ?? '';
      if (this.#form === 'statements') this.#form = 'declarations';
      this.#suffix += `\n;${chosen.name}(${argument})`;
      return this.#done({});
    }
    this.#suffix += '\n;void 0';
    if (!onlyDeclarations || idle.length === 0) return this.#done({ hasValue: false });
    return this.#done({ form: 'declarations', hasValue: false, warnings: [nothingCalled(idle)] });
  }

  /** True when no other statement mentions the function. */
  #isIdle(each: Callable): boolean {
    for (const user of this.#facts.users.get(each.name) ?? []) {
      const isExportList = user.type === 'ExportNamedDeclaration' && !user.declaration;
      if (user !== each.statement && !isExportList) return false;
    }
    return true;
  }

  /** A lone function with parameters of its own needs arguments that only its author knows. */
  #argumentsKnown(node: Node): boolean {
    const [first, second] = node.params as Node[];
    if (!first) return true;
    if (second && second.type === 'Identifier') return false;
    return (
      first.type === 'AssignmentPattern' ||
      (first.type === 'Identifier' && /^(?:tools?|codemode|api|ctx|context|env|external)$/.test(first.name as string)) ||
      (first.type === 'ObjectPattern' && this.#argument(node) !== 'tools')
    );
  }

  /** A `return` that is not the last statement: the program becomes the body of an async function. */
  #wrapped(statements: readonly Node[], last: Node | undefined): Shape {
    let prefix = '(async()=>{';
    if (this.#session) {
      const kept = persistNested(statements, this.#facts.nestedVars, this.#text, this.#edits);
      prefix += kept.prefix;
      this.#suffix = `\n})()${kept.suffix}`;
    } else this.#suffix = '\n})()';
    this.#edits.insert(0, prefix);
    if (last?.type === 'ExpressionStatement' && last.isDefault !== true) {
      const inner = bare(last.expression as Node);
      if (isVoidCall(inner)) this.#edits.overwrite(inner.start, inner.start + 4);
      this.#edits.insert(last.start, 'return(');
      this.#edits.insert(this.#tail(last), this.#text[this.#tail(last)] === ';' ? ')' : ');');
    } else if (last?.isDefault !== true && declaresResult(statements)) this.#suffix = `\n;return result${this.#suffix}`;
    this.#edits.insert(this.#text.length, this.#suffix);
    return this.#done({});
  }
}

function nothingCalled(idle: readonly Callable[]): Warning {
  const names = idle.map((each) => `\`${each.name}\``).join(', ');
  const one = idle.length === 1;
  const first = idle[0]!;
  return {
    code: 'nothing_called',
    message: `Nothing ran: the program only declares ${names} and never calls ${one ? 'it' : 'one of them'}. End it with a call such as \`await ${first.name}(…)\`, or name the function that should start \`main\`.`,
  };
}
