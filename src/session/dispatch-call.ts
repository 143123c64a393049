/**
 * The life of one tool call on the page: requested → judged → (asked) → started → settled. Every step that changes
 * anything is a fact in the journal first. A call of a run that is over never starts.
 */
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { CallError, EventData } from '../journal/events.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import { evaluatePolicy, evaluateStatic, type Verdict, type Within } from '../policy/evaluate.ts';
import type { Grant } from '../policy/grants.ts';
import { evaluateRules } from '../policy/rules.ts';
import type { ToolCallQuestion } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { EncodedText, WireCall, WireReply } from '../protocol/wire.ts';
import { askPerson } from './ask-person.ts';
import { callError, wireError } from './call-errors.ts';
import * as failures from './call-failure.ts';
import { CallFailure, RunOver } from './call-failure.ts';
import { runHandler, unlessOver } from './run-handler.ts';
import type { RunScope } from './run-scope.ts';
import { within } from './stopwatch.ts';

/** Brings one call to its end. Never rejects; the reply of a call whose run is over goes nowhere. */
export async function dispatchCall<C>(scope: RunScope<C>, call: WireCall, group: number): Promise<WireReply> {
  const life = new CallLife(scope, call);
  // The end of the run is recorded for the call at once, whatever it waits for: nothing may be written after it.
  const off = scope.ending.onEnd(() => life.cancel());
  try {
    return { id: call.id, ok: true, value: await life.run(group) };
  } catch (thrown) {
    return { id: call.id, ok: false, error: wireError(life.close(thrown)) };
  } finally {
    off();
  }
}

class CallLife<C> {
  readonly #scope: RunScope<C>;
  readonly #call: WireCall;
  readonly #id: string;
  #started = false;
  #over = false;

  constructor(scope: RunScope<C>, call: WireCall) {
    this.#scope = scope;
    this.#call = call;
    this.#id = `${scope.runId}:${call.id}`;
  }

  async run(group: number): Promise<EncodedText> {
    const entry = this.#scope.catalog.get(this.#call.tool);
    this.#request(entry, group);
    const { known, value } = await this.#admit(entry);
    let approved = await this.#judge(known, { text: this.#call.input, value });
    for (;;) {
      if ('answer' in approved) return this.#answered(known, approved.answer);
      const end = await this.#execute(known, approved);
      if (typeof end === 'string') return end;
      approved = await this.#ask(known, approved, end);
    }
  }

  /** Records that the run ended before the call did. */
  cancel(): void {
    this.#finish('tool_call.cancelled', { callId: this.#id, reason: this.#scope.ending.reason ?? 'the run ended' });
  }

  /** The fact that ends the call, and the error for the program. */
  close(thrown: unknown): CallError {
    if (thrown instanceof CallFailure) {
      if (thrown.phase) this.#finish('tool_call.failed', { callId: this.#id, error: thrown.error, phase: thrown.phase });
      else this.#finish('tool_call.denied', { callId: this.#id, error: thrown.error });
      return thrown.error;
    }
    if (thrown instanceof RunOver) {
      this.cancel();
      return callError('cancelled', 'The run ended before this call did.');
    }
    // Only a fault of the storage or of ours gets here; nothing has run unless it was recorded as started.
    const error = callError(
      'storage_error',
      `${this.#call.tool} could not be recorded, so it was ${this.#started ? 'not confirmed' : 'not run'}.`,
    );
    this.#finish('tool_call.failed', { callId: this.#id, error, phase: this.#started ? 'handler' : 'policy' });
    return error;
  }

  #append<T extends keyof EventData>(type: T, data: EventData[T]): void {
    if (!this.#over) this.#scope.journal.append(type, data, this.#scope.runId);
  }

  /** A call has exactly one last fact. */
  #finish<T extends keyof EventData>(type: T, data: EventData[T]): void {
    this.#append(type, data);
    this.#over = true;
  }

  #request(entry: CatalogEntry | undefined, group: number): void {
    const { input, site, intent, id, tool } = this.#call;
    this.#append('tool_call.requested', {
      callId: this.#id,
      ordinal: id,
      tool,
      ...(entry && { title: entry.title, risk: entry.risk }),
      input: this.#scope.journal.store(input),
      inputBytes: utf8Length(input),
      ...(site && { site }),
      ...(intent !== undefined && { intent }),
      group,
    });
  }

  /** Limits, existence and schema: what fails here has reached nobody. */
  async #admit(entry: CatalogEntry | undefined): Promise<{ known: CatalogEntry; value: unknown }> {
    const { limits, catalog } = this.#scope;
    const { tool, input, id } = this.#call;
    if (id > limits.maxCalls) throw failures.tooManyCalls(limits.maxCalls);
    if (!entry) throw failures.toolNotFound(tool, catalog.suggest(tool), 'input');
    const bytes = utf8Length(input);
    if (bytes > limits.maxInputBytes) throw failures.inputTooLarge(tool, bytes, limits.maxInputBytes);
    if (!this.#scope.transfer(bytes)) throw failures.transferExceeded(limits, 'input');
    return { known: entry, value: await this.#validate(entry, this.#decodeInput(input), 'program') };
  }

  #decodeInput(text: EncodedText): unknown {
    try {
      return decode(text, { maxDepth: this.#scope.limits.maxDepth });
    } catch (error) {
      throw failures.inputUnreadable(this.#call.tool, error);
    }
  }

  async #validate(entry: CatalogEntry, input: unknown, whose: 'program' | 'policy'): Promise<unknown> {
    const checked = await entry.validateInput(input);
    this.#alive();
    if (checked.ok) return checked.value;
    throw failures.inputInvalid(entry.name, checked.issues, whose === 'policy');
  }

  /** Rules, callbacks and a person. Returns what may run. */
  async #judge(entry: CatalogEntry, proposed: Approved): Promise<Approved | { answer: unknown }> {
    const policy = this.#scope.policy(entry);
    let verdict = await evaluatePolicy(entry, this.#question(entry, proposed.text), policy, this.#within);
    this.#alive();
    let current = proposed;
    if (verdict.input) {
      const text = encode(verdict.input.value, { dropUndefined: true });
      current = { text, value: await this.#validate(entry, decode(text), 'policy'), changed: true };
      const again = await evaluateStatic(entry, this.#question(entry, text), policy, this.#within);
      this.#alive();
      verdict = strictest(verdict, again);
    }
    const grant = verdict.effect === 'ask' ? this.#grant(entry, current.text) : undefined;
    this.#recordVerdict(grant ? { effect: 'allow', by: 'grant', reason: grant.words } : verdict, current);
    if (verdict.effect === 'hide') throw failures.toolNotFound(entry.name, []);
    if (verdict.effect === 'deny') throw failures.denied(entry.name, verdict, 'application');
    if (grant) return { ...current, agreed: true };
    return verdict.effect === 'ask' ? this.#ask(entry, current, verdict) : current;
  }

  #grant({ name, definitionHash, risk }: CatalogEntry, text: EncodedText): Grant | undefined {
    return this.#scope.grants.covering({ tool: name, definitionHash, risk, runId: this.#scope.runId, input: text });
  }

  #recordVerdict({ effect, by, reason }: Verdict, current: Approved): void {
    if (effect === 'allow' && by === 'default' && !current.changed) return;
    this.#append('policy.evaluated', {
      callId: this.#id,
      effect,
      by,
      ...(reason !== undefined && { reason }),
      ...(current.changed && { input: this.#scope.journal.store(current.text) }),
    });
  }

  async #ask(entry: CatalogEntry, current: Approved, verdict: Verdict): Promise<Approved | { answer: unknown }> {
    this.#alive();
    const result = await askPerson(this.#scope, {
      callId: this.#id,
      entry,
      text: current.text,
      value: current.value,
      reason: verdict.reason,
    });
    if (result.kind === 'answer') return { answer: result.output };
    if (result.kind !== 'allow') return this.#refused(entry, result);
    this.#alive();
    if (!result.edited) return { ...current, agreed: true };
    const value = await this.#validate(entry, decode(result.text), 'policy');
    return { text: result.text, value, changed: true, agreed: true };
  }

  #refused(entry: CatalogEntry, result: Exclude<ApprovalResult, { kind: 'allow' | 'answer' }>): never {
    if (result.kind === 'ended') throw new RunOver();
    if (result.kind === 'unrecorded') throw result.error;
    if (result.kind === 'expired') throw failures.approvalExpired(entry.name);
    throw failures.denied(entry.name, result, 'person');
  }

  async #answered(entry: CatalogEntry, output: unknown): Promise<EncodedText> {
    return this.#succeed(entry, encode(output));
  }

  /** @returns the result, or why a person must be asked after all */
  async #execute(entry: CatalogEntry, approved: Approved): Promise<EncodedText | Verdict> {
    const entered = this.#scope.gate.enter();
    try {
      if (entered) await unlessOver(this.#scope.ending, entered);
      const handler = await this.#beforeStart(entry, approved);
      if ('effect' in handler) return handler;
      return await this.#handle(entry, handler, approved);
    } finally {
      this.#scope.gate.leave();
    }
  }

  /** The last look: the call may have waited for minutes, and rules, definition or run may have changed since. */
  async #beforeStart(entry: CatalogEntry, approved: Approved): Promise<CatalogEntry | Verdict> {
    this.#alive();
    let latest = this.#scope.latest(entry.name);
    // From the last answer on nothing is waited for, so that what was judged is what starts.
    for (let judged = entry; latest && !approved.agreed && !isSameTool(latest, judged); latest = this.#scope.latest(entry.name)) {
      const ask = await this.#askNow(latest, approved);
      if (ask) return ask;
      judged = latest;
    }
    if (!latest || latest.definitionHash !== entry.definitionHash) {
      this.#append('policy.evaluated', {
        callId: this.#id,
        effect: 'deny',
        by: 'default',
        reason: 'the tool changed while the call waited',
      });
      throw failures.toolChanged(entry.name);
    }
    const verdict = this.#rulesNow(entry, approved.text);
    if (verdict && (verdict.effect === 'deny' || verdict.effect === 'hide')) {
      this.#recordVerdict(verdict, { ...approved, changed: false });
      throw failures.denied(entry.name, verdict, 'application');
    }
    const asked = verdict?.effect === 'ask' && !approved.agreed && this.#unlessGranted(entry, approved.text, verdict);
    if (asked) return asked;
    this.#started = true;
    const { journal, runId } = this.#scope;
    const durable = journal.appendDurably(
      'tool_call.started',
      {
        callId: this.#id,
        ...(approved.changed && { input: journal.store(approved.text) }),
        ...(entry.idempotent && { repeatable: true }),
      },
      runId,
    );
    if (durable) await durable;
    this.#alive();
    return latest;
  }

  /** What the tool as it is now asks a person about, and nobody has agreed to. */
  async #askNow(latest: CatalogEntry, { text }: Approved): Promise<Verdict | undefined> {
    const verdict = await evaluateStatic(latest, this.#question(latest, text), this.#scope.policy(latest), this.#within);
    this.#alive();
    return verdict.effect === 'ask' ? this.#unlessGranted(latest, text, verdict) : undefined;
  }

  #unlessGranted(entry: CatalogEntry, text: EncodedText, verdict: Verdict): Verdict | undefined {
    const grant = this.#grant(entry, text);
    this.#recordVerdict(grant ? { effect: 'allow', by: 'grant', reason: grant.words } : verdict, { text, value: undefined });
    return grant ? undefined : verdict;
  }

  #rulesNow(entry: CatalogEntry, text: EncodedText): Verdict | undefined {
    const { rules } = this.#scope.policy(entry);
    if (rules.length === 0) return undefined;
    try {
      const verdict = evaluateRules(rules, this.#question(entry, text));
      return verdict && { ...verdict, by: 'rule' };
    } catch {
      return { effect: 'deny', by: 'rule', failed: true };
    }
  }

  async #handle(entry: CatalogEntry, handler: CatalogEntry, approved: Approved): Promise<EncodedText> {
    // Between the last look and this line lies a turn of the microtask queue, in which the run may have been stopped.
    this.#alive();
    const output = await runHandler(this.#scope, {
      callId: this.#id,
      entry: handler,
      input: approved.value,
      onProgress: (progress) => this.#append('tool_call.progressed', { callId: this.#id, ...progress }),
    });
    return this.#succeed(entry, await this.#encodeOutput(handler, output));
  }

  async #encodeOutput(entry: CatalogEntry, output: unknown): Promise<EncodedText> {
    const checked = await entry.validateOutput(output);
    this.#alive();
    if (!checked.ok) throw failures.outputInvalid(entry, checked.issues);
    const { maxDepth, maxResultBytes } = this.#scope.limits;
    try {
      return encode(checked.value, { maxDepth, maxBytes: maxResultBytes });
    } catch (error) {
      throw failures.outputUnsendable(entry, error);
    }
  }

  async #succeed(entry: CatalogEntry, text: EncodedText): Promise<EncodedText> {
    const { limits } = this.#scope;
    const bytes = utf8Length(text);
    if (bytes > limits.maxResultBytes) throw failures.outputTooLarge(entry, bytes, limits.maxResultBytes);
    if (!this.#scope.transfer(bytes)) throw failures.transferExceeded(limits, 'output');
    this.#finish('tool_call.succeeded', { callId: this.#id, output: this.#scope.journal.store(text), outputBytes: bytes });
    return text;
  }

  /** A fresh copy of the input for each asker. */
  #question(entry: CatalogEntry, text: EncodedText): () => ToolCallQuestion<C> {
    const { name, title, risk, readOnly, trusted } = entry;
    const { runId, sessionId, context } = this.#scope;
    return () => ({
      tool: { name, title, risk, readOnly, trusted },
      input: decode(text),
      callId: this.#id,
      runId,
      sessionId,
      context,
    });
  }

  readonly #within: Within = (work, what) => within(this.#scope.clock, this.#scope.limits.toolTimeoutMs, work, what);

  #alive(): void {
    if (this.#scope.ending.over) throw new RunOver();
  }
}

/** What may run: the canonical text, and the validated value decoded from it. */
interface Approved {
  readonly text: EncodedText;
  readonly value: unknown;
  /** True when application or person changed it. */
  readonly changed?: boolean;
  /** True when a person or a grant of a person allowed it. */
  readonly agreed?: boolean;
}

/** `needsApproval` is no part of the definition's hash: only the same object asks for the same consent. */
function isSameTool(a: CatalogEntry, b: CatalogEntry): boolean {
  return a.tool === b.tool && a.trusted === b.trusted;
}

const ORDER = { allow: 0, ask: 1, simulate: 2, deny: 3, hide: 4 } as const;

function strictest(a: Verdict, b: Verdict): Verdict {
  return ORDER[b.effect] > ORDER[a.effect] ? b : a;
}
