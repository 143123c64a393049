/** The words of policy: what askers are asked, rules, decisions, permissions, explanations. Types only. */
import type { DecidedBy, GrantMatch, GrantScope, PolicyEffect } from '../journal/events.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { Risk } from '../catalog/tool.ts';

/** What `onToolCall` and rules are asked about. Each asker gets its own decoded copy of the input. */
export interface ToolCallQuestion<C = unknown> {
  readonly tool: {
    readonly name: string;
    readonly title: string;
    readonly risk: Risk;
    readonly readOnly: boolean;
    readonly trusted: boolean;
  };
  readonly input: unknown;
  readonly callId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly context: C;
  /** The call takes back that earlier one; `input` is the earlier call's. */
  readonly undoes?: string;
}

/**
 * Answer of `onToolCall`. `undefined` leaves the call to the defaults. `{ allowed: true }` never waives `needsApproval`.
 * `approved` is accepted for `allowed`.
 */
export type ToolCallDecision =
  | { readonly allowed: true; readonly input?: unknown }
  | { readonly allowed: false; readonly reason?: string }
  | { readonly approved: boolean; readonly reason?: string; readonly input?: unknown }
  | { readonly ask: true; readonly reason?: string; readonly input?: unknown }
  | undefined;

/** A rule in data; the strictest effect of all that match wins: hide > deny > simulate > ask > allow. */
export interface PolicyRule<C = any> {
  /** For explanations and the trace. @default its pattern and place */
  readonly name?: string;
  /** Tool name with `*`, or a predicate. @default '*' */
  readonly match?: string | ((tool: ToolCallQuestion<C>['tool'], context: C) => boolean);
  /** Further condition on the input. Throwing counts as a failed rule: the call is denied. */
  readonly when?: (input: any, context: C) => boolean;
  /**
   * `hide`: the tool is not there (with `when`, it is listed and cannot be called). `simulate`: nothing runs and nobody is asked;
   * the intended call is recorded and the program gets a stub that fits the output schema.
   */
  readonly effect: 'allow' | 'ask' | 'simulate' | 'deny' | 'hide';
  /** Told to the program, the model and the person. */
  readonly reason?: string;
  /** Only for `allow` and `ask`: how far the effect reaches. */
  readonly max?: RuleLimit;
}

/** Bounds of a rule's effect over many calls; taken when a call starts, given back when a read-only call fails. */
export interface RuleLimit {
  /** At most so many calls. */
  readonly calls?: number;
  /** Numbers at `path` of the inputs (`amount`, `lines[*].price`) add up to `atMost` at most. What is no number from 0 on is denied. */
  readonly sum?: { readonly path: string; readonly atMost: number };
  readonly per: 'run' | 'session';
  /** What happens to a call beyond the bound; a person is asked about it whatever was permitted before. @default 'deny' */
  readonly beyond?: 'ask' | 'deny';
}

/** How far an `allow` of a person reaches. `{ next: n }`: this call and the next n like it in this run. */
export type DecisionScope = 'once' | GrantScope;

/** What a person, or `session.decide`, says about one pending call. */
export type Decision =
  | {
      readonly kind: 'allow';
      /** `always` needs the option `grants`. Never remembered for a tool marked `danger`. @default 'once' */
      readonly scope?: DecisionScope;
      /** What the scope covers. @default 'tool', with `{ next }` 'input' */
      readonly match?: GrantMatch;
      /** Run this instead of what was shown; validated again. */
      readonly input?: unknown;
      /** Digest of the input the person saw; a decision on another text is refused. */
      readonly inputDigest?: string;
    }
  | { readonly kind: 'deny'; readonly reason?: string }
  | { readonly kind: 'answer'; readonly output: unknown; readonly reason?: string }
  | { readonly kind: 'cancelRun'; readonly reason?: string };

/** Decisions in the words of other libraries; `session.decide` takes them as well. */
export type PlainDecision =
  | { readonly allowed: boolean; readonly reason?: string; readonly input?: unknown }
  | { readonly approved: boolean; readonly reason?: string; readonly input?: unknown };

export type DecisionReceipt =
  | {
      readonly applied: true;
      /** The permission that is remembered from now on. */
      readonly grant?: { readonly id: string; readonly words: string };
      /** Why no permission is remembered although the decision wanted one. The call itself was allowed. */
      readonly notRemembered?: string;
    }
  | {
      readonly applied: false;
      readonly why: 'already_decided' | 'ended' | 'expired' | 'invalid_input' | 'denied_by_policy';
      readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
    };

/** What a person says about a program as a whole. */
export type PlanDecision =
  | {
      /** The tools it names may be called, with any input, in this run. */
      readonly kind: 'allow';
      /** Digest of the program the person saw; a decision on another one is refused. */
      readonly sourceDigest?: string;
    }
  /** Run it; each call is judged by itself. */
  | { readonly kind: 'callByCall' }
  /** Do not run it. */
  | { readonly kind: 'deny'; readonly reason?: string };

/** A permission as the application keeps it: plain JSON. */
export interface StoredGrant {
  readonly v: 1;
  readonly id: string;
  readonly tool: string;
  /** A changed tool asks again. */
  readonly definitionHash: string;
  readonly match: GrantMatch;
  /** Text of the one input, for `match: 'input'`. */
  readonly input?: EncodedText;
  readonly words: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Where an application keeps permissions of scope `always`. Each session asks with its own context (a user, a tenant). */
export interface GrantStore<C = any> {
  /** Asked at the first question of each run. Failing means: none. */
  load(context: C): readonly StoredGrant[] | Promise<readonly StoredGrant[]>;
  /** Failing means: not remembered, and the receipt says so. */
  save(grant: StoredGrant, context: C): void | Promise<void>;
  remove(grantId: string, context: C): void | Promise<void>;
}

/** What a permission would be, before it is given. */
export type GrantPreview =
  | {
      readonly ok: true;
      readonly words: string;
      /** Calls that wait now and would go with it, the decided one not among them. */
      readonly alsoAllows: readonly string[];
    }
  | { readonly ok: false; readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[] };

/** A tool call to explain. */
export interface CallToExplain {
  readonly tool: string;
  /** @default {} */
  readonly input?: unknown;
}

/** What one voice said about a call. */
export interface PolicyVoice {
  readonly by: DecidedBy;
  readonly effect: PolicyEffect;
  readonly reason?: string;
  /** The rule's name, or its pattern and place. */
  readonly rule?: string;
  /** It threw, took too long or gave no answer that can be used. */
  readonly failed?: boolean;
}

/** Who decides about a call, and what. */
export interface PolicyExplanation extends PolicyVoice {
  /** "payments.send is denied by the rule "payments.*" (rule 2): over budget." */
  readonly words: string;
  /** Place of the deciding rule in the list of rules that was asked. */
  readonly ruleIndex?: number;
  /** All that spoke, the deciding one included, in the order they were asked. */
  readonly voices: readonly PolicyVoice[];
  /** No permission that was given before satisfies it: a limit was passed. */
  readonly own?: true;
  /** `onToolCall` was not asked and may still be stricter. */
  readonly mayBeStricter: boolean;
}
