import { act } from '@testing-library/react';

/** Lets React finish what `change` caused; gives back what it returned. */
export function inAct<T>(change: () => T): T {
  let result: T | undefined;
  act(() => {
    result = change();
  });
  return result as T;
}
