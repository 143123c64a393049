/** `codemode.emit(value)`: shown to the person, not to the model. */
import { encode } from '../../src/protocol/codec.ts';
import { isSerializationError, makeError, placeOf } from './errors.ts';
import { addOutput, here } from './report.ts';
import { maxDepth, maxResultBytes } from './run.ts';

const LEVEL = 5;

/** @throws an error with the path of what cannot be shown */
export function emit(value: unknown): void {
  const site = here();
  let text: string;
  try {
    text = encode(value, { maxDepth, maxBytes: maxResultBytes, bytesLimit: 'maxResultBytes', dropUndefined: false });
  } catch (error) {
    if (!isSerializationError(error)) throw error;
    throw makeError(
      error.code,
      'TypeError',
      `codemode.emit cannot show this value: ${error.message}`,
      0,
      '',
      site,
      placeOf(error),
    );
  }
  addOutput(LEVEL, text, site);
}
