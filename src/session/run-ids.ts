import { InvalidOptionsError } from '../errors.ts';

let nextRun = 1;

/** Tells two direct calls of one id apart. */
export function inputText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {}, (_key, value: unknown) => {
      if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return `${typeof value} ${value}`;
      return value instanceof Map || value instanceof Set ? [value.constructor.name, ...value] : value;
    });
  } catch {
    return '';
  }
}

/** @throws InvalidOptionsError */
export function unknownRun(method: string, runId: string): InvalidOptionsError {
  const message = `${method}: this session has no run ${JSON.stringify(runId)}. Give the id of one of its runs.`;
  return new InvalidOptionsError('invalid_options', message, { path: 'runId', runId });
}

/** An id is for one program. */
export function otherProgram(id: string): InvalidOptionsError {
  const message = `run: the id ${JSON.stringify(id)} belongs to another program of this session. Ids are for starting one program once; give this one an id of its own.`;
  return new InvalidOptionsError('invalid_options', message, { path: 'id', id });
}

/** An id that no other run of the session has, in this life of the page or an earlier one. */
export function newRunId(): string {
  return `run-${nextRun++}-${Math.random().toString(36).slice(2, 8)}`;
}
