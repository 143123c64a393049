import { InvalidOptionsError } from '../errors.ts';

/** An option that cannot be used, and where it stands. */
export function invalid(where: string, path: string, problem: string): InvalidOptionsError {
  return new InvalidOptionsError('invalid_options', `${where}: \`${path}\` ${problem}.`, { path });
}
