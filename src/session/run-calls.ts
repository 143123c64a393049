/** The calls of one run that are under way, and in a run that is brought back their place in its record. */
import { type RunRecording, waits } from '../journal/recording.ts';
import type { RunError } from '../journal/events.ts';
import type { Frame, WireCall, WireError, WireReply } from '../protocol/wire.ts';
import { answerQuestion, recordAnswer } from './catalog-questions.ts';
import { dispatchCall } from './dispatch-call.ts';
import { answerResult } from './kept-results.ts';
import type { PastCall } from './replay/continue-call.ts';
import { definitionsOf } from './replay/definitions.ts';
import type { ReplayCursor } from './replay/cursor.ts';
import type { RunDeps, RunRequest } from './run-types.ts';
import type { RunScope } from './run-scope.ts';

export interface RunCallsOptions<C> {
  readonly deps: RunDeps<C>;
  readonly request: RunRequest;
  /** Told before the program hears of it. */
  failed(call: WireCall, error: WireError): void;
  /** The record says that the run was ended from outside. */
  ended(reason: string): void;
}

export class RunCalls<C> {
  readonly #options: RunCallsOptions<C>;
  readonly #inFlight = new Map<number, Promise<WireReply>>();
  /** Begun before the program made them again. */
  readonly #ahead = new Map<number, Promise<WireReply>>();
  #cursor: ReplayCursor | undefined;
  #definitions: ReadonlyMap<string, string> = new Map();
  #group = 0;
  #count: number;

  constructor(options: RunCallsOptions<C>) {
    this.#options = options;
    const recorded = options.request.resume?.recording.calls.values() ?? [];
    this.#count = [...recorded].filter(({ kind }) => kind === 'tool').length;
  }

  /** Tool calls that were made. */
  get count(): number {
    return this.#count;
  }

  /** Calls that are under way. */
  get open(): number {
    return this.#inFlight.size;
  }

  /** Settles when no call is under way. */
  idle(): Promise<unknown> {
    return Promise.all(this.#inFlight.values());
  }

  /** The program begins anew, with this record. */
  replay(cursor: ReplayCursor): void {
    for (const [id, work] of this.#inFlight) this.#ahead.set(id, work);
    this.#cursor = cursor;
  }

  /** Takes a frame in before its calls come. @returns its output without what is known, or why nothing of it may be executed */
  frame({ seq, output, calls }: Frame): { readonly output: Frame['output']; readonly diverged?: RunError } {
    const cursor = this.#cursor;
    if (cursor === undefined) {
      this.#group = seq;
      return { output };
    }
    this.#group = cursor.lastGroup + seq;
    const diverged = cursor.check(calls);
    return diverged ? { output: [], diverged } : { output: cursor.news(output) };
  }

  /** True when the worker has the reply. */
  replayed(call: WireCall): boolean {
    if (!this.#cursor?.passed(call)) return false;
    this.#note(call);
    return true;
  }

  answer(scope: RunScope<C>, call: WireCall): Promise<WireReply> {
    return this.#cursor === undefined ? this.#begin(scope, call) : this.#again(scope, this.#cursor, call);
  }

  /** Waits again for whom the record waits. Settles when each of the questions can be answered. */
  async stand(scope: RunScope<C>, recording: RunRecording): Promise<void> {
    this.#definitions = definitionsOf(scope.journal.events, recording.started?.catalogVersion);
    for (const facts of recording.calls.values()) {
      if (!waits(facts)) continue;
      const { ordinal: id, tool, input, site, intent } = facts;
      const text = await scope.journal.load(input);
      const call: WireCall = {
        id,
        kind: 'tool',
        tool,
        input: text,
        ...(site && { site }),
        ...(intent !== undefined && { intent }),
      };
      await new Promise<void>((resolve) => {
        const work = this.#begin(scope, call, { facts, definitionHash: this.#definitions.get(tool), standing: resolve });
        this.#ahead.set(id, work);
        void work.then(() => resolve());
      });
    }
  }

  /** Why a program that completed did not do again what it had done. */
  missing(): RunError | undefined {
    return this.#cursor?.missing();
  }

  /** The run is over: calls of the record that the program has not come to are, too. */
  close(reason: string): void {
    const { deps, request } = this.#options;
    for (const { ordinal } of this.#cursor?.left ?? []) {
      if (!this.#ahead.has(ordinal))
        deps.journal.append('tool_call.cancelled', { callId: `${request.id}:${ordinal}`, reason }, request.id);
    }
  }

  #again(scope: RunScope<C>, cursor: ReplayCursor, call: WireCall): Promise<WireReply> {
    const match = cursor.take(call);
    const ahead = this.#ahead.get(call.id);
    switch (match.kind) {
      case 'new':
        return this.#begin(scope, call);
      case 'answered':
        // Begun in this life of the page it is no replay.
        if (!ahead) this.#note(call);
        if (!match.reply.ok && call.kind === 'tool') this.#options.failed(call, match.reply.error);
        return Promise.resolve(match.reply);
      case 'open': {
        if (ahead) return ahead;
        const { end } = match.past;
        if (end?.kind === 'cancelled') {
          this.#options.ended(end.reason);
          return new Promise(() => {}); // nobody waits for it any more
        }
        return this.#begin(scope, call, {
          facts: match.past,
          definitionHash: this.#definitions.get(call.tool),
          standing: () => {},
        });
      }
    }
  }

  #note({ kind, id }: WireCall): void {
    const { deps, request } = this.#options;
    if (kind === 'tool') deps.journal.append('tool_call.replayed', { callId: `${request.id}:${id}` }, request.id);
  }

  #begin(scope: RunScope<C>, call: WireCall, past?: PastCall): Promise<WireReply> {
    const { request, failed } = this.#options;
    const isTool = call.kind === 'tool';
    const work = isTool
      ? dispatchCall(scope, call, this.#group, request.reverts?.get(call.id), past)
      : this.#question(scope, call);
    if (isTool && !past) this.#count++;
    this.#inFlight.set(call.id, work);
    void work.then((reply) => {
      this.#inFlight.delete(call.id);
      if (!reply.ok && isTool) failed(call, reply.error);
    });
    return work;
  }

  /** A replay needs the answer: the catalogue may be another one by then. */
  async #question(scope: RunScope<C>, call: WireCall): Promise<WireReply> {
    const turn = scope.breathing.call();
    if (turn) await turn;
    const { store } = this.#options.deps;
    const reply = await (call.kind === 'result'
      ? answerResult({ ...scope, state: store.store.getState() }, call)
      : answerQuestion(scope, call));
    if (!scope.ending.over) recordAnswer(scope, call, reply);
    return reply;
  }
}
