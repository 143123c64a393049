import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Seed of the sample of hostile programs, or all of them. */
    hostileSample: number | 'all';
  }
}
