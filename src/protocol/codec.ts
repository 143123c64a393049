/**
 * Values as text, the same on the page and inside the sandbox. Plain data is its own JSON text; everything else is a
 * `{ "$t": kind, "v": … }` object (see README.md). Own data only: prototypes, accessors, symbols and stacks stay behind.
 */
import { SerializationError } from './codec-error.ts';
import { charCodeAt, indexOf, isOutOfMemory, parse } from './codec-primordials.ts';
import { fitsBytes } from './codec-bytes.ts';
import { revive } from './codec-read.ts';
import { plainText } from './codec-scan.ts';
import { carefulText } from './codec-write.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { EncodedText } from './wire.ts';

export { SerializationError } from './codec-error.ts';
export type { SerializationCode } from './codec-error.ts';

export interface EncodeOptions {
  /** Containers in containers. @default 200 (`maxDepth` of the limits) */
  readonly maxDepth?: number;
  /** UTF-8 bytes of the text. @default 16 MiB (`maxResultBytes` of the limits) */
  readonly maxBytes?: number;
  /** The limit that `maxBytes` is, for the words of the error. @default 'maxResultBytes' */
  readonly bytesLimit?: 'maxResultBytes' | 'maxInputBytes';
  /** Leave out properties whose value is `undefined`, as JSON does: for tool inputs. Array elements stay. @default false */
  readonly dropUndefined?: boolean;
}

export interface DecodeOptions {
  /** Refuse text that nests deeper than this value depth allows. For text that a worker sent. @default unchecked */
  readonly maxDepth?: number;
  /** Refuse longer text. UTF-8 bytes. @default unchecked */
  readonly maxBytes?: number;
  /**
   * What `isTagged(text)` said where asking is cheap: on the page; in the sandbox the search costs some 5 % of the parsing.
   * @default asks itself
   */
  readonly tagged?: boolean;
}

/** Levels of text that one level of a value can take: `{"$t":"def","v":[1,{"$t":"map","v":[[key, …]]}]}`. */
const TEXT_LEVELS = 6;

/**
 * The canonical text of a value. Getters, proxies and `then` run here and only here; `toJSON` is never called.
 * @throws SerializationError `serialization_error` with the path of what cannot cross, `value_too_large` with the limit
 */
export function encode(value: unknown, options?: EncodeOptions): EncodedText {
  const maxDepth = options?.maxDepth ?? DEFAULT_LIMITS.maxDepth;
  const maxBytes = options?.maxBytes ?? DEFAULT_LIMITS.maxResultBytes;
  let text: string | undefined;
  try {
    text = plainText(value, maxDepth, maxBytes);
  } catch {
    // A getter or a trap threw. The careful writer meets it again and can name its path.
  }
  if (text !== undefined && fitsBytes(text, maxBytes)) return text;
  const bytesLimit = options?.bytesLimit ?? 'maxResultBytes';
  return carefulText(value, { maxDepth, maxBytes, bytesLimit, dropUndefined: options?.dropUndefined ?? false });
}

/**
 * A fresh value from a text of `encode`. Plain data costs one `JSON.parse` and one search.
 * @throws SerializationError when the text is not one that `encode` writes, or exceeds a given limit
 */
export function decode(text: EncodedText, options?: DecodeOptions): unknown {
  if (options?.maxBytes !== undefined && !fitsBytes(text, options.maxBytes)) throw tooLarge('maxResultBytes', options.maxBytes);
  if (options?.maxDepth !== undefined && nesting(text) > options.maxDepth * (isTagged(text) ? TEXT_LEVELS : 1)) {
    throw tooLarge('maxDepth', options.maxDepth);
  }
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    // The sandbox's engine throws a bare null where it has no room for an error; parsing throws it for nothing else.
    if (error === null || isOutOfMemory(error)) throw error;
    throw new SerializationError('serialization_error', 'The encoded value is no JSON text.', '$');
  }
  if (!(options?.tagged ?? isTagged(text))) return parsed;
  try {
    return revive(parsed);
  } catch (error) {
    // Too deep for the stack: only a text that no encoder wrote.
    throw error instanceof SerializationError ? error : tooLarge('maxDepth', DEFAULT_LIMITS.maxDepth);
  }
}

/** True when the text holds anything that JSON alone cannot say (or a string that ends in `$t`). */
export function isTagged(text: EncodedText): boolean {
  return indexOf(text, '$t"') >= 0;
}

/** Deepest nesting of brackets outside of strings. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    if (code === 34) {
      for (i++; i < text.length && charCodeAt(text, i) !== 34; i++) if (charCodeAt(text, i) === 92) i++;
    } else if (code === 91 || code === 123) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}

function tooLarge(limit: 'maxResultBytes' | 'maxDepth', value: number): SerializationError {
  const unit = limit === 'maxDepth' ? ' levels (' : ' bytes (';
  const message = 'The encoded value exceeds ' + value + unit + limit + '). Send a smaller one.';
  return new SerializationError('value_too_large', message, '$', { limit, value });
}
