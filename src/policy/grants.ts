import type { EventOf, GrantMatch, GrantScope } from '../journal/events.ts';
import { decode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { fulfils, type GrantRule, parseGrantRule } from './grant-rule.ts';
import type { StoredGrant } from './types.ts';

/** A remembered permission of a person; never covers a `danger` tool. */
export interface Grant {
  readonly id: string;
  readonly tool: string;
  /** A changed tool asks again. */
  readonly definitionHash: string;
  readonly scope: GrantScope;
  readonly match: GrantMatch;
  /** Run in which it was given. */
  readonly runId: string | undefined;
  /** Text of the one input, for `match: 'input'`. */
  readonly input?: EncodedText;
  readonly words: string;
}

/** What a call must show to be covered. */
export interface GrantedCall {
  readonly tool: string;
  readonly definitionHash: string;
  readonly risk: string;
  readonly runId: string;
  /** The whole text, not a digest of it: a program may search for two inputs of one digest. */
  readonly input: EncodedText;
}

/** What of a call a person permits. */
export interface Extent {
  readonly scope: GrantScope;
  readonly match: GrantMatch;
}

type Problem = { readonly path: readonly string[]; readonly message: string };

/** A permission in words, or why it cannot be one. */
export function wordsOf({ tool }: Pick<GrantedCall, 'tool'>, { scope, match }: Extent): string | Problem {
  const reach = reachOf(match);
  if (typeof reach !== 'string') return reach;
  const until = untilOf(scope);
  return typeof until === 'string' ? `${tool} ${reach}, ${until}` : until;
}

function reachOf(match: GrantMatch): string | Problem {
  if (match === 'input') return 'with this exact input';
  if (match === 'tool') return 'with any input';
  const rule = parseGrantRule(match?.rule);
  return 'problem' in rule ? { path: ['match', 'rule'], message: rule.problem } : `where ${rule.text}`;
}

function untilOf(scope: GrantScope): string | Problem {
  if (scope === 'run') return 'for the rest of this run';
  if (scope === 'session') return 'for this session';
  if (scope === 'always') return 'always';
  const next: unknown = scope?.next;
  if (typeof next !== 'number' || !Number.isInteger(next) || next < 1 || next > MAX_NEXT)
    return { path: ['scope', 'next'], message: `is a whole number from 1 to ${MAX_NEXT}` };
  return next === 1 ? 'for the next call of this run' : `for the next ${next} calls of this run`;
}

/** More calls than a run may have by default. */
const MAX_NEXT = 1_000_000;

interface Held {
  readonly grant: Grant;
  readonly rule: GrantRule | undefined;
  /** Calls it still lets go. */
  left: number;
}

/** The permissions of one session. */
export class GrantBook {
  readonly #held = new Map<string, Held>();
  /** Taken back by a person: what it let go and has not started asks again. */
  readonly #takenBack = new Set<string>();
  readonly #newId: () => string;

  /** `newId`: of permissions given here; stored ones need ids that no other session gives. */
  constructor(newId: () => string = countingIds()) {
    this.#newId = newId;
  }

  get list(): readonly Grant[] {
    return [...this.#held.values()].map(({ grant }) => grant);
  }

  /** Remembers a permission. Nothing for a `danger` tool, and for an extent that cannot be said in words. */
  add(call: GrantedCall, extent: Extent): Grant | undefined {
    const words = wordsOf(call, extent);
    if (call.risk === 'danger' || typeof words !== 'string') return undefined;
    const { scope, match } = extent;
    return this.#hold({
      id: this.#newId(),
      tool: call.tool,
      definitionHash: call.definitionHash,
      scope,
      match,
      runId: call.runId,
      ...(match === 'input' && { input: call.input }),
      words,
    });
  }

  /** Takes over what the application stored; nothing when it is known, was taken back here, or is not readable. */
  adopt(stored: StoredGrant): Grant | undefined {
    const { id, tool, definitionHash, match, input } = stored;
    if (typeof id !== 'string' || this.#held.has(id) || this.#takenBack.has(id)) return undefined;
    // What it permits is said anew: the stored words may say something else than the stored rule.
    const words = wordsOf({ tool }, { scope: 'always', match });
    if (stored.v !== 1 || typeof tool !== 'string' || typeof definitionHash !== 'string' || typeof words !== 'string')
      return undefined;
    if (match === 'input' && typeof input !== 'string') return undefined;
    return this.#hold({
      id,
      tool,
      definitionHash,
      scope: 'always',
      match,
      runId: undefined,
      ...(match === 'input' && { input: input as EncodedText }),
      words,
    });
  }

  /** Takes over a permission of an earlier life of the session. `used`: calls it has let go. */
  restore({ runId, data }: EventOf<'grant.created'>, input: EncodedText | undefined, used: number): void {
    const { grantId: id, tool, definitionHash, scope, match, words } = data;
    if (definitionHash === undefined || (match === 'input' && input === undefined) || typeof reachOf(match) !== 'string') return;
    const held = this.#hold({
      id,
      tool,
      definitionHash,
      scope,
      match,
      runId,
      ...(match === 'input' && input !== undefined && { input }),
      words,
    });
    const entry = this.#held.get(held.id);
    if (entry) entry.left -= used;
  }

  /** A permission that covers the call; those without a count first. */
  covering(call: GrantedCall): Grant | undefined {
    return this.#find(call)?.grant;
  }

  /** Like `covering`, and counts the call: what is used up covers no other. */
  use(call: GrantedCall): { readonly grant: Grant; readonly usedUp: boolean } | undefined {
    const held = this.#find(call);
    if (!held) return undefined;
    held.left--;
    const usedUp = held.left <= 0;
    if (usedUp) this.#held.delete(held.grant.id);
    return { grant: held.grant, usedUp };
  }

  /** Ids of the permissions that ended with the run. */
  endRun(runId: string): readonly string[] {
    const over = this.list.filter(({ scope, runId: own }) => own === runId && scope !== 'session' && scope !== 'always');
    for (const { id } of over) this.#held.delete(id);
    return over.map(({ id }) => id);
  }

  /** Takes a permission back. @returns false when it is not in force */
  revoke(grantId: string): boolean {
    this.#takenBack.add(grantId);
    return this.#held.delete(grantId);
  }

  isTakenBack(grantId: string): boolean {
    return this.#takenBack.has(grantId);
  }

  #hold(grant: Grant): Grant {
    const { match, scope } = grant;
    const rule = typeof match === 'object' ? parseGrantRule(match.rule) : undefined;
    this.#held.set(grant.id, {
      grant,
      rule: rule && 'conditions' in rule ? rule : undefined,
      left: typeof scope === 'object' ? scope.next : Number.POSITIVE_INFINITY,
    });
    return grant;
  }

  #find(call: GrantedCall): Held | undefined {
    if (this.#held.size === 0 || call.risk === 'danger') return undefined;
    let counted: Held | undefined;
    for (const held of this.#held.values()) {
      if (!covers(held, call)) continue;
      if (held.left === Number.POSITIVE_INFINITY) return held;
      counted ??= held;
    }
    return counted;
  }
}

function covers({ grant, rule }: Held, call: GrantedCall): boolean {
  if (grant.tool !== call.tool || grant.definitionHash !== call.definitionHash) return false;
  if (grant.scope !== 'session' && grant.scope !== 'always' && grant.runId !== call.runId) return false;
  if (grant.match === 'tool') return true;
  if (grant.match === 'input') return grant.input === call.input;
  return rule !== undefined && fulfilled(rule, call.input);
}

function fulfilled(rule: GrantRule, text: EncodedText): boolean {
  try {
    return fulfils(rule, decode(text));
  } catch {
    return false;
  }
}

function countingIds(): () => string {
  let next = 1;
  return () => `grant-${next++}`;
}
