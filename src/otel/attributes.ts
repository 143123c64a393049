/**
 * What the spans say. `gen_ai.*`, `error.type` and `code.*` are names of the semantic conventions (the GenAI ones at "development",
 * as of 2026); `code_mode.*` are ours, listed in docs/otel.md.
 */
import type { Attributes } from '@opentelemetry/api';
import type { GrantMatch, GrantScope } from '../journal/events.ts';
import { Content } from './content.ts';
import type { SpanOptions } from './options.ts';
import { type ApprovalFacts, type CallFacts, errorOf, type FinishedRun } from './run-facts.ts';

const RUN_STATUS = { 'run.completed': 'completed', 'run.failed': 'failed', 'run.cancelled': 'cancelled' } as const;

export function runAttributes(run: FinishedRun, options: SpanOptions): Attributes {
  const { queued, started, end } = run;
  const { stats, warnings } = end.data;
  const error = errorOf(run);
  return {
    ...options.attributes,
    'gen_ai.conversation.id': queued.sessionId,
    'code_mode.run.id': run.runId,
    'code_mode.run.status': RUN_STATUS[end.type],
    'code_mode.run.calls': run.calls.size,
    'code_mode.run.compute_ms': stats.computeMs,
    'code_mode.run.peak_memory_bytes': stats.peakMemoryBytes,
    'code_mode.run.transfer_bytes': stats.transferBytes,
    'code_mode.run.warnings': warnings.length,
    ...(end.type === 'run.completed' &&
      end.data.notAwaited.length > 0 && { 'code_mode.run.not_awaited': end.data.notAwaited.length }),
    ...(started && { 'code_mode.engine': started.data.engine, 'code_mode.catalog.version': started.data.catalogVersion }),
    ...(queued.data.direct && { 'code_mode.run.direct': true }),
    ...(run.undoes !== undefined && { 'code_mode.run.undoes': run.undoes }),
    ...(queued.data.retries && { 'code_mode.run.retries': queued.data.retries.runId }),
    ...(error && { 'error.type': error.code, ...siteAttributes(error.site) }),
    ...(error?.callId !== undefined && { 'code_mode.run.failed_call': error.callId }),
    ...runContent(run, options),
  };
}

function runContent(run: FinishedRun, options: SpanOptions): Attributes {
  const { queued, end } = run;
  return new Content(options)
    .text('code_mode.run.title', queued.data.title)
    .text('code_mode.run.source', queued.data.source)
    .value('code_mode.run.value', end.type === 'run.completed' ? end.data.value : undefined)
    .text('code_mode.run.reason', end.type === 'run.cancelled' ? end.data.reason : undefined)
    .attributes();
}

/** Those that samplers go by: they have to be there when the span begins. */
export function toolAttributes({ requested }: CallFacts): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': requested.data.tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': requested.data.callId,
    'gen_ai.conversation.id': requested.sessionId,
  };
}

export function callAttributes(call: CallFacts, options: SpanOptions): Attributes {
  const { data } = call.requested;
  return {
    'code_mode.call.status': call.status,
    'code_mode.call.ordinal': data.ordinal,
    'code_mode.call.group': data.group,
    'code_mode.call.input_bytes': data.inputBytes,
    ...(data.risk !== undefined && { 'code_mode.call.risk': data.risk }),
    ...(call.outputBytes !== undefined && { 'code_mode.call.output_bytes': call.outputBytes }),
    ...(call.startedAt !== undefined &&
      call.endedAt !== undefined && { 'code_mode.call.handler_ms': Math.max(0, call.endedAt - call.startedAt) }),
    ...siteAttributes(data.site),
    ...policyAttributes(call),
    ...errorAttributes(call),
    ...flags(call),
    ...(data.undoes !== undefined && { 'code_mode.call.undoes': data.undoes }),
    ...callContent(call, options),
  };
}

const ERROR_TYPES = { denied: 'tool_denied', expired: 'approval_expired', interrupted: 'interrupted' } as const;

/** Code of the error that the program got; none where it got none, as when the run was cancelled. */
export function errorTypeOf({ status, error }: CallFacts): string | undefined {
  if (status === 'succeeded' || status === 'cancelled' || status === 'unfinished') return undefined;
  return error?.code ?? (status === 'failed' ? '_OTHER' : ERROR_TYPES[status]);
}

function errorAttributes(call: CallFacts): Attributes {
  const type = errorTypeOf(call);
  return {
    ...(type !== undefined && { 'error.type': type }),
    ...(call.phase !== undefined && { 'code_mode.call.failed_in': call.phase }),
  };
}

function policyAttributes({ policy }: CallFacts): Attributes {
  if (!policy) return {};
  return {
    'code_mode.policy.effect': policy.effect,
    'code_mode.policy.by': policy.by,
    ...(policy.rule !== undefined && { 'code_mode.policy.rule': policy.rule }),
    ...(policy.grantId !== undefined && { 'code_mode.policy.grant': policy.grantId }),
  };
}

function flags(call: CallFacts): Attributes {
  return {
    ...(call.simulated && { 'code_mode.call.simulated': true }),
    ...(call.deferred && { 'code_mode.call.deferred': true }),
    ...(call.interrupted && { 'code_mode.call.interrupted': true }),
    ...(call.replayed && { 'code_mode.call.replayed': true }),
    ...(call.input && { 'code_mode.call.input_changed': true }),
  };
}

function callContent(call: CallFacts, options: SpanOptions): Attributes {
  const { tool, input, intent } = call.requested.data;
  const schemas = () => options.schemas?.(tool);
  return new Content(options)
    .value('gen_ai.tool.call.arguments', call.input ?? input, () => schemas()?.input)
    .value('gen_ai.tool.call.result', call.output, () => schemas()?.output)
    .text('code_mode.call.intent', intent)
    .text('code_mode.policy.reason', call.policy?.reason)
    .attributes();
}

export function approvalAttributes({ asked, decided, expired }: ApprovalFacts, options: SpanOptions): Attributes {
  const { callId, risk, doubt, question, reason } = asked.data;
  const decision = decided?.data;
  return {
    'gen_ai.tool.call.id': callId,
    'code_mode.approval.decision': decision?.decision ?? (expired ? 'expired' : 'ended'),
    'code_mode.approval.risk': risk,
    ...(doubt && { 'code_mode.approval.doubt': true }),
    ...(decision?.scope !== undefined && { 'code_mode.approval.scope': wordOf(decision.scope) }),
    ...(decision?.match !== undefined && { 'code_mode.approval.match': wordOf(decision.match) }),
    ...(decision?.grantId !== undefined && { 'code_mode.policy.grant': decision.grantId }),
    ...(decision?.input && { 'code_mode.approval.input_changed': true }),
    ...new Content(options)
      .text('code_mode.approval.question', question)
      .text('code_mode.approval.why', reason)
      .text('code_mode.approval.reason', decision?.reason)
      .attributes(),
  };
}

export function planAttributes({ asked, decided }: NonNullable<FinishedRun['plan']>, options: SpanOptions): Attributes {
  return {
    'code_mode.plan.decision': decided?.data.decision ?? 'ended',
    'code_mode.plan.tools': asked.data.tools.map(({ tool }) => tool),
    ...new Content(options).text('code_mode.plan.reason', decided?.data.reason).attributes(),
  };
}

/** `{ next: 3 }` and `{ rule: … }` without what stands in them: a rule in words has values of an input. */
function wordOf(word: 'once' | GrantScope | GrantMatch): string {
  return typeof word === 'string' ? word : Object.keys(word).join();
}

function siteAttributes(site: { readonly line: number; readonly column: number } | undefined): Attributes {
  return site ? { 'code.line.number': site.line, 'code.column.number': site.column } : {};
}
