/** A call whose handler is done and whose result is brought later. */
import type { CatalogEntry, Validation } from '../catalog/catalog.ts';
import { encode } from '../protocol/codec.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { thrownError } from './call-errors.ts';
import type { CallFacts } from './call-facts.ts';
import * as failures from './call-failure.ts';
import { CallFailure, RunOver } from './call-failure.ts';
import { inTime } from './check-input.ts';
import { isFailure, type SettleReceipt } from './deferred.ts';
import type { RunScope } from './run-scope.ts';

/**
 * Waits until the result is brought, and records it before anybody hears that it was taken.
 * @param standing called once the call can be settled
 * @throws CallFailure, RunOver
 */
export function laterResult<C>(
  scope: RunScope<C>,
  facts: CallFacts,
  entry: CatalogEntry,
  standing?: () => void,
): Promise<EncodedText> {
  const { callId } = facts;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      off();
      scope.waiting(callId, false);
    };
    const take = async (output: unknown): Promise<SettleReceipt> => {
      if (isFailure(output)) {
        const error = thrownError(entry.name, output, scope.redactErrors);
        await facts.settle('tool_call.failed', { callId, error, phase: 'handler' });
        leave();
        reject(new CallFailure(error, 'handler'));
        return { applied: true };
      }
      const text = await textOf(scope, entry, output);
      if (scope.ending.over) return { applied: false, why: 'ended' };
      if (typeof text !== 'string') return { applied: false, why: 'invalid_output', issues: text.issues };
      await facts.settle('tool_call.succeeded', { callId, output: scope.journal.store(text), outputBytes: utf8Length(text) });
      leave();
      resolve(text);
      return { applied: true };
    };
    const withdraw = scope.deferred.wait(callId, take);
    const off = scope.ending.onEnd(() => {
      withdraw();
      reject(new RunOver());
    });
    scope.waiting(callId, true);
    standing?.();
  });
}

async function textOf<C>(
  scope: RunScope<C>,
  entry: CatalogEntry,
  output: unknown,
): Promise<EncodedText | Extract<Validation, { ok: false }>> {
  const { limits, transfer } = scope;
  const checked = await inTime(scope, entry.validateOutput(output));
  if (!checked.ok) return checked;
  try {
    const text = encode(checked.value, { maxDepth: limits.maxDepth, maxBytes: limits.maxResultBytes });
    if (transfer(utf8Length(text))) return text;
    return { ok: false, issues: [{ path: [], message: failures.transferExceeded(limits, 'output').message }] };
  } catch (error) {
    return { ok: false, issues: [{ path: [], message: error instanceof Error ? error.message : String(error) }] };
  }
}
