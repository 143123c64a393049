/** Approval of a program as a whole: what it can reach is shown before anything of it runs. */
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { EventData, PlannedTool } from '../journal/events.ts';
import type { PlanQueue, PlanResult, Refusal } from '../policy/approvals.ts';
import type { PlanDecision } from '../policy/types.ts';
import { digest } from '../protocol/digest.ts';
import type { ProgramFacts } from '../protocol/wire.ts';
import { reasonOf, refuse } from './decide-call.ts';
import { judge } from './preflight.ts';
import { patience } from './preflight-question.ts';
import type { RunDeps, RunExecutor, RunRequest } from './run-types.ts';
import type { RunEnding } from './run-scope.ts';

/** What a person allowed of a program. The page holds each call against it; what the worker said only made the list. */
export interface RunPlan {
  /** True for a tool that the plan names, in the definition that was shown, unless it is marked danger. */
  covers(entry: Pick<CatalogEntry, 'name' | 'definitionHash' | 'risk'>): boolean;
}

/** A plan that names nothing: every call is asked about. */
const EMPTY: RunPlan = { covers: () => false };

export type PlanOutcome =
  | { readonly kind: 'run'; readonly plan?: RunPlan }
  | { readonly kind: 'cancel'; readonly reason: string }
  | { readonly kind: 'over' };

type Deps<C> = Pick<RunDeps<C>, 'journal' | 'clock' | 'approvalTimeoutMs'> & { readonly plans: PlanQueue };

interface Asking {
  readonly request: RunRequest;
  readonly catalog: Catalog;
  readonly ending: RunEnding;
  readonly signal: AbortSignal;
}

/** Shows the program to a person and waits. A program that reaches no tool, or that does not parse, is not asked about. */
export async function askPlan<C>(deps: Deps<C>, executor: RunExecutor, asking: Asking): Promise<PlanOutcome> {
  const { request, catalog, ending, signal } = asking;
  const record = request.resume?.recording;
  if (record?.plan) {
    const { requested, decided } = record.plan;
    return outcomeOf(decided ? resultOf(decided) : await wait(deps, asking, requested.tools, requested), requested.tools);
  }
  // It began without a question: there was nothing to ask about.
  if (record?.started) return { kind: 'run', plan: EMPTY };
  if (!executor.analyze) return { kind: 'run', plan: EMPTY };
  const facts = await executor.analyze(request.source, catalog.names, signal);
  if (ending.over) return { kind: 'over' };
  const tools = plannedTools(facts, catalog);
  // What will be refused before it runs needs no person.
  if (request.preflight && !(await judge(facts, catalog, patience(deps.clock))).ok) return { kind: 'run', plan: EMPTY };
  if (ending.over) return { kind: 'over' };
  if (facts.syntaxError || (tools.length === 0 && !facts.computedName)) return { kind: 'run', plan: EMPTY };
  const anyOf = facts.computedName ? catalog.entries.length : undefined;
  return outcomeOf(await wait(deps, asking, tools, undefined, anyOf), tools);
}

/** What a person decided in an earlier life of the page. */
function resultOf({ decision, reason }: EventData['plan.decided']): PlanResult {
  if (decision === 'deny') return { kind: 'deny', ...(reason !== undefined && { reason }) };
  return { kind: decision };
}

function outcomeOf(result: PlanResult, tools: readonly PlannedTool[]): PlanOutcome {
  switch (result.kind) {
    case 'allow':
      return { kind: 'run', plan: planOf(tools) };
    case 'call_by_call':
      return { kind: 'run' };
    case 'deny':
      return { kind: 'cancel', reason: `a person did not allow the program${result.reason ? `: ${result.reason}` : ''}` };
    case 'expired':
      return { kind: 'cancel', reason: 'nobody decided about the program in time (expired)' };
    case 'unrecorded':
      throw result.error;
    case 'ended':
      return { kind: 'over' };
  }
}

function plannedTools({ references }: ProgramFacts, catalog: Catalog): readonly PlannedTool[] {
  const tools = new Map<string, PlannedTool & { sites: PlannedTool['sites'][number][] }>();
  for (const { tool, known, site } of references) {
    const entry = known ? catalog.get(tool) : undefined;
    if (!entry) continue;
    const { title, risk, definitionHash } = entry;
    const planned = tools.get(tool) ?? { tool, title, risk, definitionHash, sites: [], askedAnyway: risk === 'danger' };
    planned.sites.push(site);
    tools.set(tool, planned);
  }
  return [...tools.values()];
}

function planOf(tools: readonly PlannedTool[]): RunPlan {
  const hashes = new Map(tools.map(({ tool, definitionHash }) => [tool, definitionHash]));
  return {
    covers: ({ name, definitionHash, risk }) => risk !== 'danger' && hashes.get(name) === definitionHash,
  };
}

async function wait<C>(
  { journal, plans, clock, approvalTimeoutMs }: Deps<C>,
  { request, ending }: Asking,
  tools: readonly PlannedTool[],
  /** The question is open already. */
  again: EventData['plan.requested'] | undefined,
  anyOf?: number,
): Promise<PlanResult> {
  const { id, source } = request;
  const sourceDigest = digest(source);
  const patience = approvalTimeoutMs === undefined ? undefined : clock.now() + approvalTimeoutMs;
  const expiresAt = again ? again.expiresAt : patience;
  const expires = expiresAt !== undefined && { expiresAt };

  const record = async (
    data: { decision: 'allow' | 'call_by_call' | 'deny'; reason?: string },
    result: PlanResult,
  ): Promise<PlanResult> => {
    const durable = journal.appendDurably('plan.decided', data, id);
    try {
      if (durable) await durable;
    } catch (error) {
      return { kind: 'unrecorded', error };
    }
    return result;
  };
  const settle = async (decision: PlanDecision): Promise<PlanResult | Refusal> => {
    switch (decision?.kind) {
      case 'allow':
        if (decision.sourceDigest !== undefined && decision.sourceDigest !== sourceDigest)
          return refuse('invalid_input', ['sourceDigest'], 'the decision was made about another program');
        return record({ decision: 'allow' }, { kind: 'allow' });
      case 'callByCall':
        return record({ decision: 'call_by_call' }, { kind: 'call_by_call' });
      case 'deny':
        return record({ decision: 'deny', ...reasonOf(decision) }, { kind: 'deny', ...reasonOf(decision) });
      default:
        return refuse('invalid_input', ['kind'], 'a decision about a program is allow, callByCall or deny');
    }
  };

  const waited = plans.wait({ id, runId: id, ...expires, settle });
  if (!again) journal.append('plan.requested', { sourceDigest, tools, ...(anyOf !== undefined && { anyOf }), ...expires }, id);
  const cancelTimer = expires
    ? clock.schedule(() => plans.close(id, 'expired'), Math.max(0, (expiresAt ?? 0) - clock.now()))
    : undefined;
  const off = ending.onEnd(() => plans.close(id, 'ended'));
  const result = await waited;
  cancelTimer?.();
  off();
  if (result.kind === 'expired' && !ending.over) journal.append('plan.decided', { decision: 'expired' }, id);
  return result;
}
