/** Who decides about one call: rules, callbacks, permissions and a person, before it starts and once more when it does. */
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import {
  evaluatePolicy,
  evaluateStatic,
  isUnquestioned,
  type PolicyInputs,
  type Verdict,
  type Within,
} from '../policy/evaluate.ts';
import type { Grant } from '../policy/grants.ts';
import { evaluateRules } from '../policy/rules.ts';
import type { ToolCallQuestion } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { askPerson } from './ask-person.ts';
import * as failures from './call-failure.ts';
import { RunOver } from './call-failure.ts';
import { checkInput } from './check-input.ts';
import type { CallFacts } from './call-facts.ts';
import type { RunScope } from './run-scope.ts';
import { within } from './stopwatch.ts';

/** What may run: the canonical text, and the validated value decoded from it. */
export interface Approved {
  readonly text: EncodedText;
  readonly value: unknown;
  /** True when application or person changed it. */
  readonly changed?: boolean;
  /** True when a person or a grant of a person allowed it. */
  readonly agreed?: boolean;
}

export class CallJudge<C> {
  readonly #scope: RunScope<C>;
  readonly #facts: CallFacts;

  constructor(scope: RunScope<C>, facts: CallFacts) {
    this.#scope = scope;
    this.#facts = facts;
  }

  /** Rules, callbacks and a person. Returns what may run. */
  judge(entry: CatalogEntry, proposed: Approved): Approved | Promise<Approved | { answer: unknown }> {
    const policy = this.#scope.policy(entry);
    return isUnquestioned(entry, policy) ? proposed : this.#judgeBy(policy, entry, proposed);
  }

  async #judgeBy(policy: PolicyInputs<C>, entry: CatalogEntry, proposed: Approved): Promise<Approved | { answer: unknown }> {
    let verdict = await evaluatePolicy(entry, this.#question(entry, proposed.text), policy, this.#within);
    this.#alive();
    let current = proposed;
    if (verdict.input) {
      const text = encode(verdict.input.value, { dropUndefined: true });
      current = { text, value: await checkInput(this.#scope.ending, entry, decode(text), 'policy'), changed: true };
      const again = await evaluateStatic(entry, this.#question(entry, text), policy, this.#within);
      this.#alive();
      verdict = strictest(verdict, again);
    }
    const grant = verdict.effect === 'ask' ? this.#grant(entry, current.text) : undefined;
    this.#recordVerdict(grant ? { effect: 'allow', by: 'grant', reason: grant.words } : verdict, current);
    if (verdict.effect === 'hide') throw failures.toolNotFound(entry.name, []);
    if (verdict.effect === 'deny') throw failures.denied(entry.name, verdict, 'application');
    if (grant) return { ...current, agreed: true };
    return verdict.effect === 'ask' ? this.ask(entry, current, verdict) : current;
  }

  #grant({ name, definitionHash, risk }: CatalogEntry, text: EncodedText): Grant | undefined {
    return this.#scope.grants.covering({ tool: name, definitionHash, risk, runId: this.#scope.runId, input: text });
  }

  #recordVerdict({ effect, by, reason }: Verdict, current: Approved): void {
    if (effect === 'allow' && by === 'default' && !current.changed) return;
    this.#facts.append('policy.evaluated', {
      callId: this.#facts.callId,
      effect,
      by,
      ...(reason !== undefined && { reason }),
      ...(current.changed && { input: this.#scope.journal.store(current.text) }),
    });
  }

  async ask(entry: CatalogEntry, current: Approved, verdict: Verdict): Promise<Approved | { answer: unknown }> {
    this.#alive();
    const result = await askPerson(this.#scope, {
      callId: this.#facts.callId,
      entry,
      text: current.text,
      value: current.value,
      reason: verdict.reason,
    });
    if (result.kind === 'answer') return { answer: result.output };
    if (result.kind !== 'allow') return this.#refused(entry, result);
    this.#alive();
    if (!result.edited) return { ...current, agreed: true };
    const value = await checkInput(this.#scope.ending, entry, decode(result.text), 'policy');
    return { text: result.text, value, changed: true, agreed: true };
  }

  #refused(entry: CatalogEntry, result: Exclude<ApprovalResult, { kind: 'allow' | 'answer' }>): never {
    if (result.kind === 'ended') throw new RunOver();
    if (result.kind === 'unrecorded') throw result.error;
    if (result.kind === 'expired') throw failures.approvalExpired(entry.name);
    throw failures.denied(entry.name, result, 'person');
  }

  /**
   * The last look, and the record that the call starts: it may have waited for minutes, and rules, definition or run may have
   * changed since.
   * @returns the tool whose handler runs, or why a person must be asked after all
   */
  async start(entry: CatalogEntry, approved: Approved): Promise<CatalogEntry | Verdict> {
    this.#alive();
    let latest = this.#scope.latest(entry.name);
    // From the last answer on nothing is waited for, so that what was judged is what starts.
    for (let judged = entry; latest && !approved.agreed && !isSameTool(latest, judged); latest = this.#scope.latest(entry.name)) {
      const ask = await this.#askNow(latest, approved);
      if (ask) return ask;
      judged = latest;
    }
    if (!latest || latest.definitionHash !== entry.definitionHash) {
      this.#facts.append('policy.evaluated', {
        callId: this.#facts.callId,
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
    const durable = this.#facts.start({
      callId: this.#facts.callId,
      ...(approved.changed && { input: this.#scope.journal.store(approved.text) }),
      ...(entry.idempotent && { repeatable: true }),
    });
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

  /** A fresh copy of the input for each asker. */
  #question(entry: CatalogEntry, text: EncodedText): () => ToolCallQuestion<C> {
    const { name, title, risk, readOnly, trusted } = entry;
    const { runId, sessionId, context } = this.#scope;
    return () => ({
      tool: { name, title, risk, readOnly, trusted },
      input: decode(text),
      callId: this.#facts.callId,
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

/** `needsApproval` is no part of the definition's hash: only the same object asks for the same consent. */
function isSameTool(a: CatalogEntry, b: CatalogEntry): boolean {
  return a.tool === b.tool && a.trusted === b.trusted;
}

const ORDER = { allow: 0, ask: 1, simulate: 2, deny: 3, hide: 4 } as const;

function strictest(a: Verdict, b: Verdict): Verdict {
  return ORDER[b.effect] > ORDER[a.effect] ? b : a;
}
