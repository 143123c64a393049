import type { Normalised, NormaliseOptions } from './types.ts';

export type { Normalised, NormalisedProgram, NormaliseOptions, ProgramForm } from './types.ts';

/** Turns the text of a model into a program for the engine. Never throws. */
export declare function normalise(source: string, options?: NormaliseOptions): Normalised;
