import { InvalidOptionsError } from '../errors.ts';
import type { PooledExecutorOptions } from './pooled-executor.ts';

/** @throws InvalidOptionsError where a count is none */
export function checkExecutorOptions({ maxComputing, initTimeoutMs }: PooledExecutorOptions): void {
  requireCount('maxComputing', maxComputing);
  requireCount('initTimeoutMs', initTimeoutMs);
}

function requireCount(name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) > 0)) return;
  throw new InvalidOptionsError('invalid_options', `The executor's option \`${name}\` must be a whole number above zero.`, {
    path: name,
  });
}
