/**
 * The life of one tool call on the page: requested → judged → (asked) → started → settled. Every step that changes
 * anything is a fact in the journal first. A call of a run that is over never starts.
 */
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Progress } from '../catalog/tool.ts';
import type { ErrorCode } from '../errors.ts';
import type { CallError, EventData } from '../journal/events.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import { evaluatePolicy, evaluateStatic, type Verdict, type Within } from '../policy/evaluate.ts';
import type { Grant } from '../policy/grants.ts';
import { evaluateRules } from '../policy/rules.ts';
import type { ToolCallQuestion } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import { digest } from '../protocol/digest.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { EncodedText, WireCall, WireReply } from '../protocol/wire.ts';
import { askPerson } from './ask-person.ts';
import { callError, thrownError, wireError } from './call-errors.ts';
import { createProgress } from './progress.ts';
import type { RunScope } from './run-scope.ts';
import { within } from './stopwatch.ts';

type FailurePhase = EventData['tool_call.failed']['phase'];

/** The call ends with an error that the program gets. */
class CallFailure extends Error {
  readonly error: CallError;
  /** Absent for a denial, which is a fact of its own. */
  readonly phase: FailurePhase | undefined;

  constructor(error: CallError, phase: FailurePhase | undefined) {
    super(error.message);
    this.error = error;
    this.phase = phase;
  }
}

/** The run ended first. */
class RunOver extends Error {}

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
    if (id > limits.maxCalls) {
      fail(
        'call_limit',
        `This run may make ${limits.maxCalls} tool calls (maxCalls); this one is one more and did not run. Ask for more per call, or split the work into several programs.`,
        'input',
        { limit: limits.maxCalls },
      );
    }
    if (!entry) throw new CallFailure(notFound(tool, catalog.suggest(tool)), 'input');
    const bytes = utf8Length(input);
    if (bytes > limits.maxInputBytes) {
      fail(
        'value_too_large',
        `The input of ${tool} has ${bytes} bytes, the limit is ${limits.maxInputBytes} (maxInputBytes). Send less, or a reference to the data.`,
        'input',
        { bytes, limit: limits.maxInputBytes },
      );
    }
    if (!this.#scope.transfer(bytes)) this.#transferExceeded();
    return { known: entry, value: await this.#validate(entry, this.#decodeInput(input), 'program') };
  }

  #decodeInput(text: EncodedText): unknown {
    try {
      return decode(text, { maxDepth: this.#scope.limits.maxDepth });
    } catch (error) {
      return fail(
        'invalid_input',
        `The input of ${this.#call.tool} is not readable: ${error instanceof Error ? error.message : String(error)}`,
        'input',
      );
    }
  }

  async #validate(entry: CatalogEntry, input: unknown, whose: 'program' | 'policy'): Promise<unknown> {
    const checked = await entry.validateInput(input);
    this.#alive();
    if (checked.ok) return checked.value;
    const list = checked.issues.map((issue) => issue.message);
    const who = whose === 'policy' ? 'as the application changed it ' : '';
    return fail(
      'invalid_input',
      `The input of ${entry.name} ${who}does not fit its schema: ${list.join('; ')}. It did not run; call it again with a corrected input.`,
      whose === 'policy' ? 'policy' : 'input',
      {
        issues: checked.issues,
      },
    );
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
    if (verdict.effect === 'hide') throw new CallFailure(notFound(entry.name, []), undefined);
    if (verdict.effect === 'deny') throw new CallFailure(denied(entry.name, verdict), undefined);
    if (grant) return { ...current, agreed: true };
    return verdict.effect === 'ask' ? this.#ask(entry, current, verdict) : current;
  }

  #grant({ name, definitionHash, risk }: CatalogEntry, text: EncodedText): Grant | undefined {
    return this.#scope.grants.covering({ tool: name, definitionHash, risk, runId: this.#scope.runId, inputDigest: digest(text) });
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
    if (result.kind === 'expired') {
      throw new CallFailure(
        callError('approval_expired', `${entry.name} was denied: nobody answered in time (expired). It did not run.`, {
          tool: entry.name,
          reason: 'expired',
        }),
        undefined,
      );
    }
    throw new CallFailure(
      denied(entry.name, { effect: 'deny', by: 'default', ...(result.reason !== undefined && { reason: result.reason }) }, true),
      undefined,
    );
  }

  async #answered(entry: CatalogEntry, output: unknown): Promise<EncodedText> {
    return this.#succeed(entry, encode(output));
  }

  /** @returns the result, or why a person must be asked after all */
  async #execute(entry: CatalogEntry, approved: Approved): Promise<EncodedText | Verdict> {
    const entered = this.#scope.gate.enter();
    try {
      if (entered) await this.#raceEnd(entered, () => undefined);
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
      throw new CallFailure(
        callError(
          'tool_denied',
          `${entry.name} did not run: the application changed or removed the tool meanwhile. Look it up again.`,
          { tool: entry.name },
        ),
        undefined,
      );
    }
    const verdict = this.#rulesNow(entry, approved.text);
    if (verdict && (verdict.effect === 'deny' || verdict.effect === 'hide')) {
      this.#recordVerdict(verdict, { ...approved, changed: false });
      throw new CallFailure(denied(entry.name, verdict), undefined);
    }
    const asked = verdict?.effect === 'ask' && !approved.agreed && this.#unlessGranted(entry, approved.text, verdict);
    if (asked) return asked;
    this.#started = true;
    const { journal, runId } = this.#scope;
    const durable = journal.appendDurably(
      'tool_call.started',
      { callId: this.#id, ...(approved.changed && { input: journal.store(approved.text) }) },
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
    const { limits, clock, redactErrors } = this.#scope;
    const controller = new AbortController();
    const progress = createProgress(clock, (report) => this.#append('tool_call.progressed', { callId: this.#id, ...report }));
    const timedOut = callError(
      'tool_timeout',
      `${entry.name} took longer than ${limits.toolTimeoutMs} ms (toolTimeoutMs). It may have had an effect; check before you repeat it.`,
      { limit: limits.toolTimeoutMs },
    );
    let expire: (() => void) | undefined;
    const timeout = new Promise<never>((_, reject) => {
      expire = clock.schedule(() => {
        controller.abort(new DOMException(timedOut.message, 'TimeoutError'));
        reject(new CallFailure(timedOut, 'timeout'));
      }, limits.toolTimeoutMs);
    });
    const work = (async () => handler.tool.execute(approved.value, this.#context(controller.signal, progress.report)))();
    try {
      const output = await this.#raceEnd(Promise.race([work, timeout]), () =>
        controller.abort(new DOMException('The run ended.', 'AbortError')),
      );
      return await this.#succeed(entry, await this.#encodeOutput(handler, output));
    } catch (thrown) {
      if (thrown instanceof CallFailure || thrown instanceof RunOver) throw thrown;
      throw new CallFailure(thrownError(entry.name, thrown, redactErrors), 'handler');
    } finally {
      expire?.();
      progress.close();
    }
  }

  #context(signal: AbortSignal, report: (progress: Progress) => void) {
    const { runId, sessionId, context } = this.#scope;
    return { callId: this.#id, runId, sessionId, context, signal, report };
  }

  async #encodeOutput(entry: CatalogEntry, output: unknown): Promise<EncodedText> {
    const checked = await entry.validateOutput(output);
    this.#alive();
    if (!checked.ok) {
      const list = checked.issues.map((issue) => issue.message).join('; ');
      fail(
        'invalid_output',
        `${entry.name} ran, but its result does not fit its output schema: ${list}. Do not repeat it; report the fault.`,
        'output',
        { issues: checked.issues },
      );
    }
    const { maxDepth, maxResultBytes } = this.#scope.limits;
    try {
      return encode(checked.value, { maxDepth, maxBytes: maxResultBytes });
    } catch (error) {
      const code: ErrorCode =
        (error as { code?: ErrorCode }).code === 'value_too_large' ? 'value_too_large' : 'serialization_error';
      return fail(
        code,
        `${entry.name} ran, but its result cannot be handed over: ${error instanceof Error ? error.message : String(error)}`,
        'output',
      );
    }
  }

  async #succeed(entry: CatalogEntry, text: EncodedText): Promise<EncodedText> {
    const bytes = utf8Length(text);
    if (bytes > this.#scope.limits.maxResultBytes) {
      fail(
        'value_too_large',
        `${entry.name} ran, but its result has ${bytes} bytes; the limit is ${this.#scope.limits.maxResultBytes} (maxResultBytes). Ask for less.`,
        'output',
        { bytes, limit: this.#scope.limits.maxResultBytes },
      );
    }
    if (!this.#scope.transfer(bytes)) this.#transferExceeded('output');
    this.#finish('tool_call.succeeded', { callId: this.#id, output: this.#scope.journal.store(text), outputBytes: bytes });
    return text;
  }

  #transferExceeded(phase: FailurePhase = 'input'): never {
    const limit = this.#scope.limits.maxTransferBytes;
    return fail(
      'transfer_limit',
      `The inputs and results of this run are more than ${limit} bytes together (maxTransferBytes). Ask for less, or split the work into several programs.`,
      phase,
      { limit },
    );
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

  /** `work`, or `RunOver` as soon as the run ends. */
  #raceEnd<T>(work: Promise<T>, onEnd: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const off = this.#scope.ending.onEnd(() => {
        onEnd();
        reject(new RunOver());
      });
      work.then(resolve, reject).finally(off);
    });
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

const ORDER = { allow: 0, ask: 1, deny: 2, hide: 3 } as const;

function strictest(a: Verdict, b: Verdict): Verdict {
  return ORDER[b.effect] > ORDER[a.effect] ? b : a;
}

function fail(code: ErrorCode, message: string, phase: FailurePhase, data?: Readonly<Record<string, unknown>>): never {
  throw new CallFailure(callError(code, message, data), phase);
}

function notFound(tool: string, suggestions: readonly string[]): CallError {
  const hint =
    suggestions.length > 0
      ? ` Did you mean ${suggestions.map((name) => `tools[${JSON.stringify(name)}]`).join(' or ')}?`
      : ' Look for tools with codemode.search("…").';
  return callError('tool_not_found', `There is no tool ${JSON.stringify(tool)}.${hint}`, { tool, suggestions });
}

function denied(tool: string, { reason, failed }: Verdict, byPerson = false): CallError {
  if (failed)
    return callError(
      'policy_failed',
      `${tool} was denied: the application's own check failed. It did not run; do not repeat it.`,
      { tool },
    );
  const who = byPerson ? 'by the person' : 'by the application';
  return callError(
    'tool_denied',
    `${tool} was denied ${who}${reason ? `: ${reason}` : ''}. It did not run; do not repeat it unchanged.`,
    { tool, ...(reason !== undefined && { reason }) },
  );
}
