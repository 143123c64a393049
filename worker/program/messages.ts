/** What the model reads about a text that does not parse: what is wrong, where, and what to write instead. */
import { tokenizer } from 'acorn';
import type { ProgramFailure, SourcePosition } from '../../src/protocol/wire.ts';
import type { Node } from './ast.ts';
import type { ParseError } from './parse.ts';
import type { Survey } from './survey.ts';

export interface Refusal {
  readonly message: string;
  readonly offset: number;
}

const AWAIT_ADVICE =
  '`await` only works directly in the program or in an async function. Make the function around it async: `async (x) => …`; with `.map` write `await Promise.all(list.map(async (x) => …))`, instead of `.forEach` use `for (const x of list)`';

const NO_USING = '`using` is not supported. Use `const` and try/finally.';

/** A syntax error with a position in the model's own text. */
export function syntaxFailure(error: ParseError, text: string, position: (offset: number) => SourcePosition): ProgramFailure {
  const { message, offset } = explain(error, text, position);
  return { code: 'syntax_error', name: 'SyntaxError', message: sentence(message), site: position(offset) };
}

function sentence(message: string): string {
  return /[.!?`]$/.test(message) ? message : `${message}.`;
}

function explain(error: ParseError, text: string, position: (offset: number) => SourcePosition): Refusal {
  const { message, offset } = error;
  const before = /(?:^|[^\w$.])await\s*$/.exec(text.slice(Math.max(0, offset - 200), offset));
  if (before || /\bawait\b/.test(message)) {
    const at = before ? text.lastIndexOf('await', offset) : offset;
    return { message: AWAIT_ADVICE, offset: at };
  }
  if (offset >= text.trimEnd().length && /Unexpected token|Unterminated/.test(message))
    return unclosed(text, message, offset, position);
  const rest = text.slice(offset);
  if (/^[\u2018\u2019\u201c\u201d\u00ab\u00bb]/.test(rest)) {
    return { message: `Typographic quote ${rest[0]}: write plain quotes, ' or "`, offset };
  }
  if (message.startsWith('Unexpected character') && (rest.startsWith('#') || text[offset - 1] === '#')) {
    return {
      message: '`#` does not start a comment in JavaScript. Use `//`',
      offset: rest.startsWith('#') ? offset : offset - 1,
    };
  }
  if (/^<\/?[A-Za-z]/.test(rest))
    return { message: 'JSX and HTML are no part of a program. Build text with a template literal', offset };
  if (message.startsWith('Using declaration')) return { message: NO_USING, offset };
  if (rest.startsWith('@')) return { message: 'Decorators are not supported. Call the function instead', offset };
  const declared = /^Identifier '(.+)' has already been declared$/.exec(message);
  if (declared) {
    const first = firstDeclaration(text, declared[1]!, offset);
    const where = first === undefined ? '' : ` (first in line ${position(first).line})`;
    return {
      message: `\`${declared[1]}\` is declared twice${where}. Rename one of the two, or assign without \`let\` or \`const\``,
      offset,
    };
  }
  if (message === 'Unterminated string constant')
    return {
      message: `${message}: a quote is missing on this line. For text over several lines use a template literal (backticks)`,
      offset,
    };
  if (message === 'Unterminated template') return { message: `${message}: the closing backtick is missing`, offset };
  const bare = /\bconst\s+([\p{ID_Continue}$]+)\s*$/u.exec(text.slice(Math.max(0, offset - 200), offset));
  if (bare && message === 'Unexpected token' && /^(?:[;,]|$)/.test(rest))
    return { message: `\`const ${bare[1]}\` needs a value. Write \`let ${bare[1]}\` to set it later`, offset };
  const word = /^(?:and|or|not|is|elif|then|None|True|False|pass)\b/.exec(rest)?.[0];
  if (message === 'Unexpected token')
    return {
      message: `Unexpected token ${tokenText(rest)}${word ? `. JavaScript has no \`${word}\`${PYTHON[word] ? `; write \`${PYTHON[word]}\`` : ''}` : ''}`,
      offset,
    };
  return { message, offset };
}

const PYTHON: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  is: '===',
  elif: 'else if',
  None: 'null',
  True: 'true',
  False: 'false',
};

function tokenText(rest: string): string {
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|=>|\.{3}|[=!]==?|[<>]=|&&|\|\||\?\?|\?\.|[^\s])/u.exec(rest)?.[0] ?? '';
  return token === '`' ? '"`"' : `\`${token}\``;
}

function firstDeclaration(text: string, name: string, before: number): number | undefined {
  const escaped = name.replace(/\$/g, '\\$&');
  const found = new RegExp(`(?:\\b(?:const|let|var|class|function)\\b[^;\\n]{0,200}?)(?<![\\w$])${escaped}(?![\\w$])`).exec(text);
  const at = found ? found.index + found[0].length - name.length : -1;
  return at >= 0 && at < before ? at : undefined;
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };

/** The text ends inside of something: name the bracket that was never closed. */
function unclosed(text: string, message: string, offset: number, position: (offset: number) => SourcePosition): Refusal {
  const open: { readonly label: string; readonly at: number }[] = [];
  try {
    for (const token of tokenizer(text, { ecmaVersion: 'latest' })) {
      const label = token.type.label;
      if (label in PAIRS) open.push({ label, at: token.start });
      else if (label === ')' || label === ']' || label === '}') open.pop();
    }
  } catch {
    // The tokenizer stops where the parser did; what was open until then is what matters.
  }
  const last = open.at(-1);
  if (!last)
    return { message: message === 'Unexpected token' ? 'The program ends in the middle of a statement' : message, offset };
  const { line, column } = position(last.at);
  return {
    message: `The program ends too early: the \`${last.label}\` in line ${line}, column ${column} is never closed. Send the whole program`,
    offset,
  };
}

/** Syntax that parses but cannot run here. */
export function refusedSyntax(facts: Survey, text: string): Refusal | undefined {
  for (const node of facts.modules) {
    const refusal = refusedModule(node, text);
    if (refusal) return refusal;
  }
  const using = facts.using[0];
  if (using) return { message: NO_USING, offset: using.start };
  const awaited = facts.free.get('await');
  if (awaited) return { message: `${AWAIT_ADVICE}.`, offset: awaited.start };
  return undefined;
}

function refusedModule(node: Node, text: string): Refusal | undefined {
  const source = node.source ? `'${String((node.source as Node).value)}'` : undefined;
  if (node.type === 'ImportDeclaration') {
    const specifiers = node.specifiers as Node[];
    if (node.importKind === 'type' || (specifiers.length > 0 && specifiers.every((each) => each.importKind === 'type')))
      return undefined;
    return {
      message: `\`import\` of ${source}: programs have no imports, no packages and no Node modules. Remove the line; use the tools (\`await tools.name(input)\`) and built-in JavaScript.`,
      offset: node.start,
    };
  }
  if (node.type === 'TSImportEqualsDeclaration')
    return {
      message: `\`import ${String(node.id.name)} = …\`: programs have no imports. Remove the line and use the tools.`,
      offset: node.start,
    };
  if (
    node.type === 'ExportAllDeclaration' ||
    (node.type === 'ExportNamedDeclaration' && node.source && node.exportKind !== 'type')
  ) {
    return {
      message: `\`export … from ${source}\`: programs have no imports. Remove the line and use the tools.`,
      offset: node.start,
    };
  }
  if (node.type === 'TSExportAssignment')
    return {
      message: `\`export =\` is not supported. End the program with the value: ${text.slice((node.expression as Node).start, (node.expression as Node).end).slice(0, 40)}`,
      offset: node.start,
    };
  return undefined;
}
