import type { HypotheticalCall } from '../policy/explain.ts';
import type { PolicyExplanation } from '../policy/types.ts';
import { loadRuntime } from './load-runtime.ts';

/**
 * Which rule decides about a call, without a session: for tests of a policy. Schemas are not checked, limits count as untouched,
 * `onToolCall` is not asked.
 */
export async function explainPolicy<C>(call: HypotheticalCall<C>): Promise<PolicyExplanation> {
  const runtime = await loadRuntime();
  return runtime.explainHypothetical(call);
}
