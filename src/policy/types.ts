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

/** A rule in data; the strictest effect of all that match wins: hide > deny > ask > allow. */
export interface PolicyRule<C = any> {
  /** Tool name with `*`, or a predicate. @default '*' */
  readonly match?: string | ((tool: ToolCallQuestion<C>['tool']) => boolean);
  /** Further condition on the input. Throwing counts as a failed rule: the call is denied. */
  readonly when?: (input: any, context: C) => boolean;
  readonly effect: 'allow' | 'ask' | 'deny' | 'hide';
  /** Told to the program, the model and the person. */
  readonly reason?: string;
}

/** What a person, or `session.decide`, says about one pending call. */
export type Decision =
  | {
      readonly kind: 'allow';
      /** @default 'once' */
      readonly scope?: 'once' | 'run' | 'session';
      /** What the scope covers: this exact input, or the tool. @default 'tool' */
      readonly match?: 'input' | 'tool';
      /** Run this instead of what was shown; validated again. */
      readonly input?: unknown;
      /** Digest of the input the person saw; a decision on another text is refused. */
      readonly inputDigest?: string;
    }
  | { readonly kind: 'deny'; readonly reason?: string }
  | { readonly kind: 'answer'; readonly output: unknown; readonly reason?: string }
  | { readonly kind: 'cancelRun'; readonly reason?: string };

export type DecisionReceipt =
  | { readonly applied: true }
  | {
      readonly applied: false;
      readonly why: 'already_decided' | 'ended' | 'expired' | 'invalid_input' | 'denied_by_policy';
      readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
    };
