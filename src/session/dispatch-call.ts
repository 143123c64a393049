/**
 * The life of one tool call on the page: requested → judged → (asked) → started → settled. Every step that changes
 * anything is a fact in the journal first. A call of a run that is over never starts.
 */
import type { CatalogEntry, Validation } from '../catalog/catalog.ts';
import type { ToolCallContext } from '../catalog/tool.ts';
import type { CallError, EventData } from '../journal/events.ts';
import type { Verdict } from '../policy/evaluate.ts';
import { decode, encode } from '../protocol/codec.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { EncodedText, WireCall, WireReply } from '../protocol/wire.ts';
import { callError, wireError } from './call-errors.ts';
import { CallFacts } from './call-facts.ts';
import * as failures from './call-failure.ts';
import { CallFailure, RunOver } from './call-failure.ts';
import { suggestedTools, visibleTool } from './visible-tools.ts';
import { checkInput } from './check-input.ts';
import { stubOf } from '../catalog/stub.ts';
import { type Approved, CallJudge } from './judge-call.ts';
import { HandlerRun } from './handler-run.ts';
import { deferredToken } from './deferred.ts';
import { laterResult } from './later-result.ts';
import { checkTool, continueCall, type Next, type PastCall } from './replay/continue-call.ts';
import type { RunScope } from './run-scope.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A call that takes another one back: its input is that call's. Never from a program. */
export interface Revert {
  readonly callId: string;
  /** What that call gave. */
  readonly output: EncodedText;
  /** It may have been taken back already. */
  readonly doubt: boolean;
}

/** Brings one call to its end. Never rejects; the reply of a call whose run is over goes nowhere. */
export function dispatchCall<C>(
  scope: RunScope<C>,
  call: WireCall,
  group: number,
  revert?: Revert,
  past?: PastCall,
): Promise<WireReply> {
  return new CallLife(scope, call, revert, past).run(group);
}

/** What is to be done next; `later`: the handler's result is brought later, by this token. */
type Step = Next | { readonly later: string } | { readonly question: Verdict; readonly about: Approved };

class CallLife<C> {
  readonly #scope: RunScope<C>;
  readonly #call: WireCall;
  readonly #id: string;
  readonly #facts: CallFacts;
  readonly #judge: CallJudge<C>;
  readonly #revert: Revert | undefined;
  readonly #past: PastCall | undefined;
  #handler: HandlerRun<C> | undefined;

  constructor(scope: RunScope<C>, call: WireCall, revert: Revert | undefined, past: PastCall | undefined) {
    this.#scope = scope;
    this.#call = call;
    this.#id = `${scope.runId}:${call.id}`;
    this.#facts = new CallFacts(scope, this.#id);
    this.#judge = new CallJudge(scope, this.#facts, revert);
    this.#revert = revert;
    this.#past = past;
  }

  /** One function for the common way: each that is asynchronous makes a promise and a turn more, a thousand times a run. */
  async run(group: number): Promise<WireReply> {
    const { ending, breathing } = this.#scope;
    // The end of the run is recorded for the call at once, whatever it waits for: nothing may be written after it.
    const off = ending.onEnd(() => this.cancel());
    try {
      const entry = visibleTool(this.#scope, this.#call.tool);
      if (this.#past) checkTool(this.#past, entry);
      else this.#request(entry, group);
      const turn = breathing.call();
      if (turn) await turn;
      this.#alive();
      const known = this.#admit(entry);
      const checked = checkInput(ending, known, this.#decodeInput(), 'program');
      const value = checked instanceof Promise ? await checked : checked;
      const judged = this.#next(known, { text: this.#call.input, value });
      let step: EncodedText | Step = judged instanceof Promise ? await judged : judged;
      while (typeof step !== 'string') step = await this.#take(known, step);
      return { id: this.#call.id, ok: true, value: step };
    } catch (thrown) {
      return { id: this.#call.id, ok: false, error: wireError(this.close(thrown)) };
    } finally {
      off();
    }
  }

  #next(entry: CatalogEntry, proposed: Approved): Promise<Next> | Next {
    if (!this.#past) return this.#judge.judge(entry, proposed);
    return continueCall(this.#scope, this.#judge, this.#facts, entry, proposed, this.#past);
  }

  #take(entry: CatalogEntry, step: Step): EncodedText | Promise<EncodedText | Step> {
    if ('settled' in step) return step.settled;
    if ('answer' in step) return this.#succeed(entry, encode(step.answer));
    if ('simulate' in step) return this.#simulated(entry);
    if ('later' in step) return this.#later(entry, step.later);
    if ('question' in step) return this.#judge.ask(entry, step.about, step.question);
    return this.#execute(entry, step);
  }

  /** The handler is done and has no result yet: that is durable before anybody waits for it. */
  async #later(entry: CatalogEntry, token: string): Promise<EncodedText> {
    await this.#facts.defer(token);
    this.#alive();
    return laterResult(this.#scope, this.#facts, entry);
  }

  /** Records that the run ended before the call did, then tells the handler. */
  cancel(): void {
    this.#giveBack();
    this.#facts.finish('tool_call.cancelled', { callId: this.#id, reason: this.#scope.ending.reason ?? 'the run ended' });
    this.#handler?.stop();
  }

  /** The fact that ends the call, and the error for the program. */
  close(thrown: unknown): CallError {
    if (thrown instanceof CallFailure) {
      this.#giveBack();
      if (thrown.phase) this.#facts.finish('tool_call.failed', { callId: this.#id, error: thrown.error, phase: thrown.phase });
      else this.#facts.finish('tool_call.denied', { callId: this.#id, error: thrown.error });
      return thrown.error;
    }
    if (thrown instanceof RunOver) {
      this.cancel();
      return callError('cancelled', 'The run ended before this call did.');
    }
    // Only a fault of the storage or of ours gets here; nothing has run unless it was recorded as started.
    const error = callError(
      'storage_error',
      `${this.#call.tool} could not be recorded, so it was ${this.#facts.started ? 'not confirmed' : 'not run'}.`,
    );
    this.#facts.finish('tool_call.failed', { callId: this.#id, error, phase: this.#facts.started ? 'handler' : 'policy' });
    return error;
  }

  /** What a call without an effect took of the limits of rules. */
  #giveBack(): void {
    if (!this.#facts.started || this.#facts.over || !this.#scope.catalog.get(this.#call.tool)?.readOnly) return;
    if (this.#scope.limitBook.release(this.#id)) this.#facts.append('limit.released', { callId: this.#id });
  }

  /** Written field by field: a spread for each that may be missing would take longer than the rest of it. */
  #request(entry: CatalogEntry | undefined, group: number): void {
    const { input, site, intent, id, tool } = this.#call;
    const stored = this.#scope.journal.store(input);
    const data: Mutable<EventData['tool_call.requested']> = {
      callId: this.#id,
      ordinal: id,
      tool,
      input: stored,
      inputBytes: utf8Length(input),
      group,
    };
    if (entry) {
      data.title = entry.title;
      data.risk = entry.risk;
    }
    if (site) data.site = site;
    if (intent !== undefined) data.intent = intent;
    if (this.#revert) data.undoes = this.#revert.callId;
    this.#facts.append('tool_call.requested', data);
  }

  /** Limits and existence: what fails here has reached nobody. */
  #admit(entry: CatalogEntry | undefined): CatalogEntry {
    const { limits } = this.#scope;
    const { tool, input, id } = this.#call;
    if (id > limits.maxCalls) throw failures.tooManyCalls(limits.maxCalls);
    if (!entry) throw failures.toolNotFound(tool, suggestedTools(this.#scope, tool), 'input');
    const bytes = utf8Length(input);
    if (bytes > limits.maxInputBytes) throw failures.inputTooLarge(tool, bytes, limits.maxInputBytes);
    if (!this.#scope.transfer(bytes)) throw failures.transferExceeded(limits, 'input');
    return entry;
  }

  #decodeInput(): unknown {
    try {
      return decode(this.#call.input, { maxDepth: this.#scope.limits.maxDepth });
    } catch (error) {
      throw failures.inputUnreadable(this.#call.tool, error);
    }
  }

  /** Nothing runs: what was intended is in the journal, the program goes on with a value that fits. */
  async #simulated(entry: CatalogEntry): Promise<EncodedText> {
    const stub = await stubOf(entry);
    this.#alive();
    if (!stub) throw failures.notSimulated(entry);
    this.#scope.simulated(this.#call.id, entry.name);
    return this.#succeed(entry, encode(stub.value), true);
  }

  /** @returns the result, or what comes instead: a person must be asked after all, it is only simulated, or brought later */
  async #execute(entry: CatalogEntry, approved: Approved): Promise<EncodedText | Step> {
    const { gate } = this.#scope;
    const entered = gate.enter();
    if (entered) await entered;
    try {
      const start = this.#judge.start(entry, approved);
      const latest = start instanceof Promise ? await start : start;
      if ('effect' in latest) return latest.effect === 'simulate' ? { simulate: true } : { question: latest, about: approved };
      // Where the start had to be awaited, a turn of the microtask queue lies in between, in which the run may have been stopped.
      this.#alive();
      this.#handler = new HandlerRun(this.#scope, this.#facts, latest);
      const output = await this.#handler.start(this.#work(latest, approved.value));
      if (this.#revert) return this.#succeed(entry, encode(null));
      const later = deferredToken(output);
      if (later !== undefined) return { later };
      const judged = latest.validateOutput(output);
      const checked = judged instanceof Promise ? await judged : judged;
      this.#alive();
      return this.#succeed(entry, this.#encodeOutput(latest, checked));
    } finally {
      gate.leave();
    }
  }

  #work({ tool }: CatalogEntry, input: unknown): (call: ToolCallContext) => unknown {
    const revert = this.#revert;
    if (!revert) return (facts) => tool.execute(input, facts);
    if (!tool.revert) throw failures.toolChanged(tool.name);
    return (facts) => tool.revert?.(input, decode(revert.output), facts);
  }

  #encodeOutput(entry: CatalogEntry, checked: Validation): EncodedText {
    if (!checked.ok) throw failures.outputInvalid(entry, checked.issues);
    const { maxDepth, maxResultBytes } = this.#scope.limits;
    try {
      return encode(checked.value, { maxDepth, maxBytes: maxResultBytes });
    } catch (error) {
      throw failures.outputUnsendable(entry, error, this.#scope.redactErrors);
    }
  }

  #succeed(entry: CatalogEntry, text: EncodedText, simulated = false): EncodedText {
    const { limits } = this.#scope;
    const bytes = utf8Length(text);
    if (bytes > limits.maxResultBytes) throw failures.outputTooLarge(entry, bytes, limits.maxResultBytes);
    if (!this.#scope.transfer(bytes)) throw failures.transferExceeded(limits, 'output');
    const output = this.#scope.journal.store(text);
    const data = { callId: this.#id, output, outputBytes: bytes };
    this.#facts.finish('tool_call.succeeded', simulated ? { ...data, simulated } : data);
    return text;
  }

  #alive(): void {
    if (this.#scope.ending.over) throw new RunOver();
  }
}
