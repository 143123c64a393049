import type { EncodedText } from '../protocol/wire.ts';

/** A remembered permission of a person. Kept in memory; never covers a `danger` tool. */
export interface Grant {
  readonly id: string;
  readonly tool: string;
  /** A changed tool asks again. */
  readonly definitionHash: string;
  readonly scope: 'run' | 'session';
  readonly runId: string;
  /** Text of the one input it covers; any input when absent. */
  readonly input?: EncodedText;
  /** "orders.cancel with any input, for the rest of this run" */
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

/** The grants of one session. */
export class GrantBook {
  readonly #grants = new Map<string, Grant>();
  #next = 1;

  get list(): readonly Grant[] {
    return [...this.#grants.values()];
  }

  /** Remembers a permission; nothing for a `danger` tool. */
  add(call: GrantedCall, scope: 'run' | 'session', match: 'input' | 'tool'): Grant | undefined {
    if (call.risk === 'danger') return undefined;
    const extent = match === 'input' ? 'with this exact input' : 'with any input';
    const until = scope === 'run' ? 'for the rest of this run' : 'for this session';
    const grant: Grant = {
      id: `grant-${this.#next++}`,
      tool: call.tool,
      definitionHash: call.definitionHash,
      scope,
      runId: call.runId,
      ...(match === 'input' && { input: call.input }),
      words: `${call.tool} ${extent}, ${until}`,
    };
    this.#grants.set(grant.id, grant);
    return grant;
  }

  covering(call: GrantedCall): Grant | undefined {
    if (call.risk === 'danger') return undefined;
    return this.list.find(
      (grant) =>
        grant.tool === call.tool &&
        grant.definitionHash === call.definitionHash &&
        (grant.scope === 'session' || grant.runId === call.runId) &&
        (grant.input === undefined || grant.input === call.input),
    );
  }

  /** Ids of the grants that ended with the run. */
  endRun(runId: string): readonly string[] {
    const over = this.list.filter((grant) => grant.scope === 'run' && grant.runId === runId).map((grant) => grant.id);
    for (const id of over) this.#grants.delete(id);
    return over;
  }

  revoke(grantId: string): boolean {
    return this.#grants.delete(grantId);
  }
}
