/** Why a value cannot cross, and where in it. */
export type SerializationCode = 'serialization_error' | 'value_too_large';

/** Thrown by the codec. `path` reads like the program would write it: `$.rows[3].done`. */
export class SerializationError extends Error {
  override readonly name = 'SerializationError';
  readonly code: SerializationCode;
  readonly path: string;
  /** JSON values only: `path`, and for a limit `limit` with its number. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: SerializationCode, message: string, path: string, limit?: Readonly<Record<string, number>>) {
    super(message);
    this.code = code;
    this.path = path;
    this.data = { path, ...limit };
  }
}
