/** Fenced code blocks in prose, as CommonMark has them and as models write them. */

export interface Block {
  /** The code. */
  readonly start: number;
  readonly end: number;
  /** The block with its fences. */
  readonly outerStart: number;
  readonly outerEnd: number;
  /** First word of the info string, lower case, without braces and dots. */
  readonly label: string;
}

const CODE = new Set([
  'js',
  'javascript',
  'jsx',
  'mjs',
  'cjs',
  'ts',
  'typescript',
  'tsx',
  'mts',
  'cts',
  'node',
  'nodejs',
  'ecmascript',
  'deno',
  'bun',
]);
const OTHER = new Set([
  ...[
    'python',
    'py',
    'python3',
    'sh',
    'bash',
    'shell',
    'zsh',
    'console',
    'powershell',
    'sql',
    'html',
    'css',
    'xml',
    'yaml',
    'yml',
    'toml',
    'ini',
  ],
  ...[
    'text',
    'txt',
    'plaintext',
    'output',
    'log',
    'diff',
    'markdown',
    'md',
    'csv',
    'json',
    'jsonc',
    'json5',
    'mermaid',
    'http',
    'graphql',
  ],
  ...['ruby', 'go', 'rust', 'java', 'kotlin', 'swift', 'c', 'cpp', 'csharp', 'php', 'r', 'lua', 'perl'],
]);

/**
 * The blocks to run, best reading first; empty when the text has no fence. Blocks labelled as JavaScript or TypeScript, else
 * those without a known label, else whatever there is; several are joined in order, and the longest alone is the fallback.
 */
export function codeBlocks(text: string): readonly (readonly Block[])[] {
  const blocks = allBlocks(text).filter((block) => text.slice(block.start, block.end).trim() !== '');
  if (blocks.length === 0) return [];
  const labelled = blocks.filter((block) => CODE.has(block.label));
  const neutral = blocks.filter((block) => !CODE.has(block.label) && !OTHER.has(block.label));
  const chosen = labelled.length > 0 ? labelled : neutral.length > 0 ? neutral : blocks.slice(0, 1);
  if (chosen.length === 1) return [chosen];
  const longest = chosen.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
  return [chosen, [longest]];
}

/** More blocks are no answer of a model, and each costs a look at the whole text. */
const MAX_BLOCKS = 50;
const MAX_SKIPPED = 200;
const FENCE = /^([ \t>]*)(`{3,}|~{3,})([^\n]*)$/gm;

function allBlocks(text: string): Block[] {
  const one = singleLine(text);
  if (one) return [one];
  const blocks: Block[] = [];
  let from = 0;
  while (blocks.length < MAX_BLOCKS) {
    const open = nextOpening(text, from);
    if (!open) break;
    const block = blockFrom(text, open);
    blocks.push(block);
    from = block.outerEnd;
  }
  // Only a closing fence: what stands before it is the program.
  const only = blocks.length === 1 ? blocks[0]! : undefined;
  if (only && text.slice(only.start).trim() === '' && only.label === '' && text.slice(0, only.outerStart).trim() !== '') {
    return [{ start: 0, end: only.outerStart, outerStart: 0, outerEnd: text.length, label: '' }];
  }
  return blocks;
}

interface Opening {
  readonly at: number;
  readonly marks: string;
  readonly info: string;
  readonly contentStart: number;
}

function nextOpening(text: string, from: number): Opening | undefined {
  FENCE.lastIndex = from;
  for (let found = FENCE.exec(text), skipped = 0; found && skipped < MAX_SKIPPED; found = FENCE.exec(text), skipped++) {
    const [line, , marks, info] = found as unknown as [string, string, string, string];
    if (marks[0] === '`' && info.includes('`')) continue;
    if (inLiteral(text, found.index)) continue;
    const contentStart = Math.min(found.index + line.length + 1, text.length);
    return { at: found.index, marks, info: info.trim(), contentStart };
  }
  return undefined;
}

/** A fence line inside of a template literal or a block comment is text of the program. */
function inLiteral(text: string, at: number): boolean {
  const before = text.slice(0, at);
  if (before.lastIndexOf('/*') > before.lastIndexOf('*/')) return true;
  return /(?:^|[^`])`[ \t]*\r?\n$/.test(before.slice(-200));
}

function blockFrom(text: string, open: Opening): Block {
  const label = /^[{.\s]*([\w+#-]*)/.exec(open.info)![1]!.toLowerCase();
  const mark = open.marks[0]!;
  const closing = new RegExp(`^[ \\t>]*${mark === '`' ? '`' : '~'}{${open.marks.length},}[ \\t]*\\r?$`, 'm');
  const rest = text.slice(open.contentStart);
  const close = closing.exec(rest);
  if (close) {
    const end = open.contentStart + close.index;
    return { start: open.contentStart, end, outerStart: open.at, outerEnd: end + close[0].length, label };
  }
  // The closing fence hangs at the end of the last line of code, or was never written.
  const hanging = /[^`\s]([ \t]*`{3,})\s*$/.exec(rest);
  const end = hanging && mark === '`' ? open.contentStart + hanging.index + 1 : text.length;
  return { start: open.contentStart, end, outerStart: open.at, outerEnd: text.length, label };
}

/** ` ```js return 1``` ` on one line. */
function singleLine(text: string): Block | undefined {
  const found = /^(\s*)(`{3,})((?:js|javascript|ts|typescript)[ \t]+)?([^`\n]+?)(`{3,})\s*$/i.exec(text);
  if (!found) return undefined;
  const start = found[1]!.length + found[2]!.length + (found[3]?.length ?? 0);
  return {
    start,
    end: start + found[4]!.length,
    outerStart: 0,
    outerEnd: text.length,
    label: (found[3] ?? '').trim().toLowerCase(),
  };
}
