/** A short text that a regular expression of a schema accepts. What is too clever for it is left to whoever checks the text. */

/**
 * A text for `pattern`; nothing where the expression is not understood. `more`: how often what may repeat without end is repeated
 * beyond its least number, for texts that must be longer.
 */
export function textForPattern(pattern: string, more = 0): string | undefined {
  try {
    const reader = new Reader(pattern, more);
    const text = reader.alternatives();
    return reader.isDone ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Tried in this order for classes: a letter, a digit, then what else stands on a keyboard. */
const CHARACTERS = ['aA0 _-.,:;/@#+*!?=%&$()[]{}<>|\\"\'`~^\t\n'.split(''), 'ä', '中', '😀'].flat();
/** A class may be tried on so many repeats. */
const MAX_REPEAT = 10_000;

class Reader {
  readonly #pattern: string;
  readonly #more: number;
  readonly #groups: string[] = [];
  #at = 0;

  constructor(pattern: string, more: number) {
    this.#pattern = pattern;
    this.#more = more;
  }

  get isDone(): boolean {
    return this.#at === this.#pattern.length;
  }

  /** `a|b|c`: the first one, but the rest must be readable too. */
  alternatives(): string {
    const first = this.#sequence();
    while (this.#takes('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#peek())) {
      const atom = this.#atom();
      text += atom.repeat(this.#times());
      if (text.length > MAX_REPEAT) throw new RangeError('too long');
    }
    return text;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #takes(text: string): boolean {
    const isThere = this.#pattern.startsWith(text, this.#at);
    if (isThere) this.#at += text.length;
    return isThere;
  }

  #atom(): string {
    if (this.#takes('^') || this.#takes('$')) return '';
    if (this.#takes('(')) return this.#group();
    if (this.#peek() === '[') return anyOf(this.#class());
    if (this.#peek() === '\\') return this.#escape();
    if (this.#takes('.')) return 'a';
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #group(): string {
    // What looks ahead or behind adds nothing; whether it holds is seen when the text is checked.
    const looks = ['?=', '?!', '?<=', '?<!'].some((mark) => this.#takes(mark));
    const captures = !looks && !this.#takes('?:');
    const named = captures && /^\?<[^>]+>/.exec(this.#pattern.slice(this.#at));
    if (named) this.#at += named[0].length;
    const place = captures ? this.#groups.push('') - 1 : -1;
    const text = this.alternatives();
    if (!this.#takes(')')) throw new SyntaxError('a group has no end');
    if (captures) this.#groups[place] = text;
    return looks ? '' : text;
  }

  /** A class as it is written: whether a character is in it, the engine itself knows. */
  #class(): RegExp {
    const start = this.#at;
    this.#at++;
    while (this.#peek() !== ']' && this.#peek() !== '') this.#at += this.#peek() === '\\' ? 2 : 1;
    this.#at++;
    return new RegExp(`^${this.#pattern.slice(start, this.#at)}$`, 'u');
  }

  #escape(): string {
    const rest = this.#pattern.slice(this.#at);
    const reference = /^\\([1-9]\d*)/.exec(rest);
    if (reference) {
      this.#at += reference[0].length;
      return this.#groups[Number(reference[1]) - 1] ?? '';
    }
    if (this.#takes('\\b') || this.#takes('\\B')) return '';
    const [whole] = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/.exec(rest) ?? [''];
    if (whole === '') throw new SyntaxError('an escape has no end');
    this.#at += whole.length;
    return anyOf(new RegExp(`^${whole}$`, 'u'));
  }

  #times(): number {
    const [least, most] = this.#bounds();
    return Math.min(most, least + (most === Number.POSITIVE_INFINITY ? this.#more : 0), MAX_REPEAT);
  }

  #bounds(): readonly [least: number, most: number] {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#pattern.slice(this.#at));
    if (!found) return [1, 1];
    this.#at += found[0].length;
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) return sign === '?' ? [0, 1] : [sign === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
    if (comma === '') return [Number(least), Number(least)];
    return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }
}

function anyOf(one: RegExp): string {
  const found = CHARACTERS.find((character) => one.test(character)) ?? searchPlanes(one);
  if (found === undefined) throw new RangeError('no character fits');
  return found;
}

function searchPlanes(one: RegExp): string | undefined {
  for (let code = 0; code < 0x3000; code++) if (one.test(String.fromCodePoint(code))) return String.fromCodePoint(code);
  return undefined;
}
