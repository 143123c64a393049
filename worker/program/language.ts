/** Texts in another language, recognised only after they failed to parse as a program. */
import type { ProgramFailure } from '../../src/protocol/wire.ts';
import type { Unwrapped } from './unwrap.ts';

const ADVICE = 'Programs are JavaScript (or TypeScript); tools are called with `await tools.name(input)`.';

/** One sentence about what the text is, or `undefined` when it may well be JavaScript with a mistake. */
export function foreignLanguage(unwrapped: Unwrapped, source: string): ProgramFailure | undefined {
  const language = recognise(unwrapped.text, unwrapped.label, source);
  if (language === undefined) return undefined;
  return {
    code: 'unsupported_language',
    name: 'UnsupportedLanguageError',
    message: `This is ${language}, which cannot run here. ${ADVICE}`,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  python: 'Python',
  py: 'Python',
  python3: 'Python',
  sh: 'a shell script',
  bash: 'a shell script',
  shell: 'a shell script',
  zsh: 'a shell script',
  console: 'a shell script',
  powershell: 'PowerShell',
  sql: 'SQL',
  html: 'HTML',
  css: 'CSS',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  toml: 'TOML',
  json: 'JSON data without a program',
  jsonc: 'JSON data without a program',
  ruby: 'Ruby',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  kotlin: 'Kotlin',
  swift: 'Swift',
  php: 'PHP',
  r: 'R',
  lua: 'Lua',
  perl: 'Perl',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
};

const JAVASCRIPT = [
  /\b(?:const|let|var)\s+[\w${[]/,
  /=>/,
  /\bfunction\b/,
  /;\s*$/m,
  /\bawait\s+[\w$.]+\(/,
  /[{(]\s*$/m,
  /^\s*\}\)?;?\s*$/m,
  /(?:^|\s)\/\/\s/m,
  /===|&&|\|\|/,
];
const PYTHON = [
  /^\s*(?:async\s+)?def\s+\w+\s*\(.*\).*:\s*(?:#.*)?$/m,
  /^\s*(?:from\s+[\w.]+\s+)?import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*\w+)*\s*$/m,
  /^\s*(?:if|elif|for|while|with|class|try|except|else|finally)\b[^{}]*:\s*(?:#.*)?$/m,
  /\bprint\s*\(\s*f?["']/,
  /\bf"[^"]*\{|\bf'[^']*\{/,
  /\b(?:None|True|False|elif)\b/,
  /\[[^\]]+\bfor\s+\w+\s+in\s+/,
  /\blambda\s+\w+\s*:/,
  /^\s*#(?!!)\s?\w/m,
];
const SHELL =
  /^\s*(?:\$\s+\S|(?:sudo|curl|wget|npm|npx|pnpm|yarn|pip3?|git|cd|ls|mkdir|cat|grep|echo|apt(?:-get)?|docker|kubectl|chmod|node|python3?|ssh|brew)\s+[\w'"./$~-])/;

function recognise(text: string, label: string | undefined, source: string): string | undefined {
  const trimmed = text.trim();
  if (isJson(trimmed)) return 'JSON data without a program';
  const shebang = /^\s*#!.*\b(python3?|bash|sh|zsh|ruby|perl)\b/.exec(source)?.[1];
  if (shebang)
    return shebang.startsWith('python') ? 'Python' : shebang === 'ruby' ? 'Ruby' : shebang === 'perl' ? 'Perl' : 'a shell script';
  // The start of a text tells; the marks are searched in a part, because some take quadratic time.
  const head = trimmed.slice(0, 4000);
  const javascript = JAVASCRIPT.filter((mark) => mark.test(head)).length;
  const python = PYTHON.filter((mark) => mark.test(head)).length;
  const named = label === undefined ? undefined : LABELS[label];
  if (named && javascript < 4) return named;
  if (python >= 2 && python >= javascript) return 'Python';
  if (python >= 1 && javascript === 0) return 'Python';
  const lines = head.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const shell = lines.filter((line) => SHELL.test(line)).length;
  if (shell > 0 && shell * 2 >= lines.length && javascript < 3) return 'a shell script';
  if (
    /^(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|CREATE\s+TABLE)\b/i.test(head) &&
    /\b(?:FROM|INTO|SET|TABLE)\b/i.test(head) &&
    javascript < 2
  )
    return 'SQL';
  if (/^<(?:!doctype|\?xml|[a-z][\w:-]*[\s>/])/i.test(trimmed) && javascript < 3)
    return /^<(?:!doctype|html|body|div|p|table|script)/i.test(trimmed) ? 'HTML' : 'XML';
  if (isProse(head, javascript)) return 'text, not a program';
  return undefined;
}

function isJson(text: string): boolean {
  if (!/^[{["]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sentences: words and spaces, hardly any of the characters that code is made of. */
function isProse(text: string, javascript: number): boolean {
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  const signs = text.match(/[;{}()[\]=<>|&]/g)?.length ?? 0;
  if (javascript > 1 || words < 3) return false;
  return (
    /^[\p{Lu}\d*#>"'¿¡\p{Lo}-]|^i(?:'|’| )/u.test(text) &&
    signs * 6 < words &&
    /\p{L}+[ ,]+\p{L}+[ ,]+\p{L}+|\p{Lo}{4}/u.test(text)
  );
}
