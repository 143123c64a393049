/** Why a value cannot cross, and where in it. */
import type { LimitData } from './limits.ts';

export type SerializationCode = 'serialization_error' | 'value_too_large';

/** Thrown by the codec. `path` reads like the program would write it: `$.rows[3].done`. */
export class SerializationError extends Error {
  override readonly name = 'SerializationError';
  readonly code: SerializationCode;
  readonly path: string;
  /** The limit that was passed; undefined for what cannot cross at all. An own property always: the sandbox reads it. */
  readonly limit: LimitData | undefined;
  /** JSON values only: `path`, and the fields of `limit`. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: SerializationCode, message: string, path: string, limit?: LimitData) {
    super(message);
    this.code = code;
    this.path = path;
    this.limit = limit;
    this.data = { path, ...limit };
  }
}
