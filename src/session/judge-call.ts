/** Who decides about one call: rules, callbacks, permissions and a person, before it starts and once more when it does. */
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Reservation } from '../journal/events.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import {
  evaluatePolicy,
  evaluateStatic,
  isUnquestioned,
  type PolicyInputs,
  strictest,
  type Verdict,
  type Within,
} from '../policy/evaluate.ts';
import { evaluateRules, reservationsOf } from '../policy/rules.ts';
import type { ToolCallQuestion } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { type AskedAgain, askPerson } from './ask-person.ts';
import type { CallFacts } from './call-facts.ts';
import * as failures from './call-failure.ts';
import { RunOver } from './call-failure.ts';
import { questionAbout } from './call-question.ts';
import { suggestedTools } from './visible-tools.ts';
import { checkInput } from './check-input.ts';
import type { RunScope } from './run-scope.ts';
import { within } from './stopwatch.ts';

/** What may run: the canonical text, and the validated value decoded from it. */
export interface Approved {
  readonly text: EncodedText;
  readonly value: unknown;
  /** True when application or person changed it. */
  readonly changed?: boolean;
  /** Who of the people's side allowed it: a decision about this call, an earlier permission, the plan of the program. */
  readonly agreed?: 'person' | 'grant' | 'plan';
  /** The permission; it may be taken back before the call starts. */
  readonly grantId?: string;
}

/** What is to be done with a call. */
export type Judged = Approved | { readonly answer: unknown } | { readonly simulate: true };

/** Why a person is asked. `doubt`: the call may have had its effect already. */
export type Question = Verdict & { readonly doubt?: true };

const NOTHING_RESERVED: readonly Reservation[] = [];
const TAKEN_BACK: Verdict = { effect: 'ask', by: 'grant', reason: 'the permission that covered it was taken back' };
const NOT_PLANNED: Verdict = { effect: 'ask', by: 'plan', reason: 'the allowed plan of the program does not name this tool' };

const UNDONE_MAYBE: Verdict = {
  effect: 'ask',
  by: 'default',
  own: true,
  reason: 'An earlier undo of it was stopped, and nobody knows whether it took effect. Look first.',
};

export class CallJudge<C> {
  readonly #scope: RunScope<C>;
  readonly #facts: CallFacts;
  /** The call it takes back. */
  readonly #undoes: string | undefined;
  /** Which may have happened already. */
  readonly #inDoubt: boolean;

  constructor(scope: RunScope<C>, facts: CallFacts, revert?: { readonly callId: string; readonly doubt: boolean }) {
    this.#scope = scope;
    this.#facts = facts;
    this.#undoes = revert?.callId;
    this.#inDoubt = revert?.doubt === true;
  }

  /** Rules, callbacks and a person. */
  judge(entry: CatalogEntry, proposed: Approved): Judged | Promise<Judged> {
    const policy = this.#scope.policy(entry);
    const open = this.#undoes === undefined && this.#scope.plan === undefined && isUnquestioned(entry, policy);
    return open ? proposed : this.#judgeBy(policy, entry, proposed);
  }

  async #judgeBy(policy: PolicyInputs<C>, entry: CatalogEntry, proposed: Approved): Promise<Judged> {
    let verdict = await evaluatePolicy(entry, this.#question(entry, proposed.text), policy, this.#within);
    this.#alive();
    let current = proposed;
    if (verdict.input) {
      const text = encode(verdict.input.value, { dropUndefined: true });
      current = { text, value: await checkInput(this.#scope.ending, entry, decode(text), 'policy'), changed: true };
      const again = await evaluateStatic(entry, this.#question(entry, text), policy, this.#within);
      this.#alive();
      verdict = strictest([verdict, again]);
    }
    if (this.#inDoubt) verdict = strictest([verdict, UNDONE_MAYBE]);
    return this.#follow(entry, current, await this.#loaded(verdict));
  }

  /** Asks a person. @param again the question is open already */
  async ask(entry: CatalogEntry, current: Approved, verdict: Question, again?: AskedAgain): Promise<Judged> {
    this.#alive();
    const result = await askPerson(this.#scope, {
      callId: this.#facts.callId,
      entry,
      text: current.text,
      reason: verdict.reason,
      own: verdict.own === true,
      undoes: this.#undoes !== undefined,
      ...(verdict.doubt && { doubt: true }),
      ...(again && { again }),
    });
    if (result.kind === 'deny' && verdict.doubt) throw failures.interrupted(entry.name, 'a person decided not to run it again');
    if (result.kind === 'answer') return { answer: result.output };
    if (result.kind !== 'allow') return this.#refused(entry, result);
    this.#alive();
    const { grantId } = result;
    const agreed = grantId === undefined ? ({ agreed: 'person' } as const) : ({ agreed: 'grant', grantId } as const);
    if (!result.edited) return { text: current.text, value: current.value, changed: current.changed === true, ...agreed };
    const value = await checkInput(this.#scope.ending, entry, decode(result.text), 'policy');
    return { text: result.text, value, changed: true, ...agreed };
  }

  /**
   * The last look, and the record that the call starts: it may have waited for minutes, and rules, definition or run may have
   * changed since.
   * @returns the tool whose handler runs, or why it must not start without a further step: asking a person, or simulating
   */
  start(entry: CatalogEntry, approved: Approved): CatalogEntry | Verdict | Promise<CatalogEntry | Verdict> {
    this.#alive();
    const latest = this.#scope.latest(entry.name);
    if (!latest || approved.agreed || isSameTool(latest, entry)) return this.#startAs(latest, entry, approved);
    return this.#startChanged(latest, entry, approved);
  }

  /** The tool is another one than was judged: that one is asked about first, for as long as it goes on changing. */
  async #startChanged(changed: CatalogEntry, entry: CatalogEntry, approved: Approved): Promise<CatalogEntry | Verdict> {
    let latest: CatalogEntry | undefined = changed;
    for (let judged = entry; latest && !isSameTool(latest, judged); latest = this.#scope.latest(entry.name)) {
      const ask = await this.#askNow(latest, approved);
      if (ask) return ask;
      judged = latest;
    }
    return this.#startAs(latest, entry, approved);
  }

  /** Here nothing is waited for before the start is written down, so that what was judged is what starts. */
  #startAs(
    latest: CatalogEntry | undefined,
    entry: CatalogEntry,
    approved: Approved,
  ): CatalogEntry | Verdict | Promise<CatalogEntry> {
    if (!latest || latest.definitionHash !== entry.definitionHash) {
      this.#record({ effect: 'deny', by: 'default', reason: 'the tool changed while the call waited' }, approved);
      throw failures.toolChanged(entry.name);
    }
    const verdict = this.#rulesNow(entry, approved);
    if (verdict) return verdict;
    const reserved = this.#reserve(entry, approved.text);
    const { callId } = this.#facts;
    const plain = entry.idempotent ? ({ callId, repeatable: true } as const) : { callId };
    const durable = this.#facts.start(
      approved.changed || reserved.length > 0
        ? {
            ...plain,
            ...(approved.changed && { input: this.#scope.journal.store(approved.text) }),
            ...(reserved.length > 0 && { reserved }),
          }
        : plain,
    );
    const go = (): CatalogEntry => {
      this.#alive();
      return latest;
    };
    return durable ? durable.then(go) : latest;
  }

  /** Stored permissions are looked up when a question comes up, once a run. */
  async #loaded(verdict: Verdict): Promise<Verdict> {
    if (verdict.effect !== 'ask' || this.#undoes !== undefined) return verdict;
    const loading = this.#scope.loadPermissions();
    if (loading) await loading;
    this.#alive();
    return verdict;
  }

  #follow(entry: CatalogEntry, current: Approved, said: Verdict): Promise<Judged> | Judged {
    const verdict = this.#given(entry, current.text, said);
    this.#record(verdict, current);
    switch (verdict.effect) {
      case 'hide':
        throw failures.toolNotFound(entry.name, suggestedTools(this.#scope, entry.name), 'input');
      case 'deny':
        throw failures.denied(entry.name, verdict, 'application');
      case 'simulate':
        return { simulate: true };
      case 'ask':
        return this.ask(entry, current, verdict);
      case 'allow':
        return { ...current, ...agreement(verdict) };
    }
  }

  /** What earlier decisions of people make of a verdict: a permission or the plan may answer a question, the plan may raise one. */
  #given(entry: CatalogEntry, text: EncodedText, verdict: Verdict): Verdict {
    const { plan, grants, runId } = this.#scope;
    if (this.#undoes !== undefined) return verdict;
    const isPlanned = plan?.covers(entry) ?? false;
    const asked = plan && !isPlanned && verdict.effect === 'allow' ? NOT_PLANNED : verdict;
    if (asked.effect !== 'ask' || asked.own) return asked;
    if (isPlanned) return { effect: 'allow', by: 'plan' };
    const { name: tool, definitionHash, risk } = entry;
    const used = grants.use({ tool, definitionHash, risk, runId, input: text });
    if (!used) return asked;
    if (used.usedUp) this.#scope.permissions.withdraw(used.grant.id, 'used_up', runId);
    return { effect: 'allow', by: 'grant', reason: used.grant.words, grantId: used.grant.id };
  }

  #record({ effect, by, reason, rule, grantId }: Verdict, current: Approved): void {
    if (effect === 'allow' && by === 'default' && !current.changed) return;
    this.#facts.append('policy.evaluated', {
      callId: this.#facts.callId,
      effect,
      by,
      ...(reason !== undefined && { reason }),
      ...(rule !== undefined && { rule }),
      ...(grantId !== undefined && { grantId }),
      ...(current.changed && { input: this.#scope.journal.store(current.text) }),
    });
  }

  #refused(entry: CatalogEntry, result: Exclude<ApprovalResult, { kind: 'allow' | 'answer' }>): never {
    if (result.kind === 'ended') throw new RunOver();
    if (result.kind === 'unrecorded') throw result.error;
    if (result.kind === 'expired') throw failures.approvalExpired(entry.name);
    this.#alive();
    throw failures.denied(entry.name, result, 'person');
  }

  /** What the tool as it is now asks a person about, and nobody has agreed to. */
  async #askNow(latest: CatalogEntry, { text }: Approved): Promise<Verdict | undefined> {
    const policy = this.#scope.policy(latest);
    const verdict = await evaluateStatic(latest, this.#question(latest, text), policy, this.#within);
    this.#alive();
    return verdict.effect === 'ask' ? this.#stillAsked(latest, text, verdict) : undefined;
  }

  /** A question that comes up late; nothing when a permission or the plan answers it. */
  #stillAsked(entry: CatalogEntry, text: EncodedText, verdict: Verdict): Verdict | undefined {
    const given = this.#given(entry, text, verdict);
    this.#record(given, { text, value: undefined });
    return given.effect === 'ask' ? given : undefined;
  }

  /** What rules and permissions say in the turn in which the call starts. @throws CallFailure when they deny */
  #rulesNow(entry: CatalogEntry, { text, agreed, grantId }: Approved): Verdict | undefined {
    const { rules, taken } = this.#scope.policy(entry);
    if (rules.length === 0 && grantId === undefined) return undefined;
    const verdict = this.#evaluateNow(() => evaluateRules(rules, this.#question(entry, text), taken));
    const unchanged = { text, value: undefined };
    if (verdict?.effect === 'deny' || verdict?.effect === 'hide') {
      this.#record({ ...verdict, effect: 'deny' }, unchanged);
      throw failures.denied(entry.name, verdict, 'application');
    }
    if (verdict?.effect === 'simulate') {
      this.#record(verdict, unchanged);
      return verdict;
    }
    if (grantId !== undefined && this.#scope.grants.isTakenBack(grantId)) return this.#stillAsked(entry, text, TAKEN_BACK);
    if (verdict?.effect !== 'ask') return undefined;
    const isAnswered = verdict.own ? agreed === 'person' : agreed !== undefined;
    return isAnswered ? undefined : this.#stillAsked(entry, text, verdict);
  }

  #evaluateNow(rules: () => ReturnType<typeof evaluateRules>): Verdict | undefined {
    try {
      const verdict = rules();
      return verdict && { ...verdict, by: 'rule' };
    } catch {
      return { effect: 'deny', by: 'rule', failed: true };
    }
  }

  /** Takes its part of the rules' limits, in the turn in which the rules were asked. */
  #reserve(entry: CatalogEntry, text: EncodedText): readonly Reservation[] {
    if (this.#undoes !== undefined) return [];
    const { rules } = this.#scope.policy(entry);
    if (rules.length === 0) return NOTHING_RESERVED;
    const reserved = reservationsOf(rules, this.#question(entry, text));
    this.#scope.limitBook.reserve(this.#scope.runId, this.#facts.callId, reserved);
    return reserved;
  }

  #question(entry: CatalogEntry, text: EncodedText): () => ToolCallQuestion<C> {
    return questionAbout(this.#scope, entry, this.#facts.callId, text, this.#undoes);
  }

  readonly #within: Within = (work, what) => within(this.#scope.clock, this.#scope.limits.toolTimeoutMs, work, what);

  #alive(): void {
    if (this.#scope.ending.over) throw new RunOver();
  }
}

function agreement({ by, grantId }: Verdict): Pick<Approved, 'agreed' | 'grantId'> {
  if (by === 'plan') return { agreed: 'plan' };
  return by === 'grant' && grantId !== undefined ? { agreed: 'grant', grantId } : {};
}

/** `needsApproval` is no part of the definition's hash: only the same object asks for the same consent. */
function isSameTool(a: CatalogEntry, b: CatalogEntry): boolean {
  return a.tool === b.tool && a.trusted === b.trusted;
}
