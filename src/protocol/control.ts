/** The calls the page makes to a worker over Comlink. Types only. */
import type { ExecuteRequest, NameTable, ProgramFacts, RunEnd, WorkerInit, WorkerReady } from './wire.ts';

/** The other end of the channel for frames and replies: a `MessagePort`; opaque here, because this folder knows no DOM. */
export type RunChannel = object;

/** Without the names: those travel once per catalogue version. */
export type RunRequest = Omit<ExecuteRequest, 'names'>;

export interface WorkerControl {
  /** Compiles or instantiates the engine, then gives up everything the realm does not need. */
  init(init: WorkerInit, channel: RunChannel): Promise<WorkerReady>;
  /** Resolves when the program has ended. `names` is absent when the worker had this version with its last run. */
  run(request: RunRequest, names: NameTable | undefined): Promise<RunEnd>;
  cancel(runId: string): void;
  analyze(source: string, names: NameTable): ProgramFacts | Promise<ProgramFacts>;
}

/** The first thing a worker says, before Comlink: its file has loaded and runs. */
export type Greeting = 'codemode:up';
