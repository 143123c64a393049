/** Results that come later: `execute` returns `deferred(token)`, `session.settle` brings the result. */
import type { CodeModeError } from '../errors.ts';
import type { SchemaIssue } from '../catalog/catalog.ts';

/** The same over two copies of the package. */
const MARK = Symbol.for('react-code-mode.deferred');

/**
 * What `execute` returns when the result comes later, from a webhook or another person: the program waits, over reloads, too,
 * until `session.settle(callId, output)`. Neither `toolTimeoutMs` nor `maxDurationMs` runs meanwhile.
 * @param token tells the application what it waits for; it stands in the journal
 */
export function deferred<O = any>(token: string): O {
  if (typeof token !== 'string' || token === '') throw new TypeError('deferred takes a token: a text that is not empty.');
  return { [MARK]: token } as O;
}

/** The token, where a handler's result is a promise of a later one. */
export function deferredToken(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !Object.hasOwn(output, MARK)) return undefined;
  return (output as { readonly [MARK]: string })[MARK];
}

export type SettleReceipt =
  | { readonly applied: true }
  | {
      readonly applied: false;
      /** `not_waiting`: no such call waits for a later result. */
      readonly why: 'already_settled' | 'ended' | 'not_waiting' | 'invalid_output';
      readonly issues?: readonly SchemaIssue[];
    };

/** Takes one result. Returns a receipt of refusal to leave the call waiting. */
type Take = (output: unknown) => Promise<SettleReceipt>;

/** The calls of one session that wait for a later result. */
export class DeferredResults {
  readonly #waiting = new Map<string, { readonly take: Take; claimed: boolean }>();
  readonly #over = new Map<string, 'already_settled' | 'ended'>();

  /** @returns withdraws it: the run ended */
  wait(callId: string, take: Take): () => void {
    this.#waiting.set(callId, { take, claimed: false });
    return () => {
      if (this.#waiting.delete(callId)) this.#over.set(callId, 'ended');
    };
  }

  /** Of two results for one call the second loses. @throws CodeModeError `storage_error` when it could not be recorded */
  async settle(callId: string, output: unknown): Promise<SettleReceipt> {
    const waiting = this.#waiting.get(callId);
    if (!waiting) return { applied: false, why: this.#over.get(callId) ?? 'not_waiting' };
    if (waiting.claimed) return { applied: false, why: 'already_settled' };
    waiting.claimed = true;
    try {
      const receipt = await waiting.take(output);
      if (receipt.applied) {
        this.#waiting.delete(callId);
        this.#over.set(callId, 'already_settled');
      }
      return receipt;
    } finally {
      waiting.claimed = false;
    }
  }
}

/** True for an error that stands for the result. */
export function isFailure(output: unknown): output is CodeModeError {
  return output instanceof Error;
}
