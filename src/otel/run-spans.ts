/** Writes the spans of finished runs: the run, its calls, and each wait for a person by itself. */
import {
  type Context,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { approvalAttributes, callAttributes, errorTypeOf, planAttributes, runAttributes, toolAttributes } from './attributes.ts';
import type { SpanOptions } from './options.ts';
import { type CallFacts, errorOf, type FinishedRun } from './run-facts.ts';

/** Spans that later ones may link to: those of twenty runs of the greatest length. Older ones are only named by their ids. */
const MAX_REMEMBERED = 20_000;

export class RunSpans {
  readonly #tracer: Tracer;
  readonly #options: SpanOptions;
  /** Runs and calls by their ids, oldest first. */
  readonly #written = new Map<string, SpanContext>();

  constructor(tracer: Tracer, options: SpanOptions) {
    this.#tracer = tracer;
    this.#options = options;
  }

  write(run: FinishedRun, parent: Context): void {
    const { queued, end } = run;
    const begin = queued.time;
    const links = this.#links(run.undoes, queued.data.retries?.runId, queued.data.retries?.callId);
    const attributes = runAttributes(run, this.#options);
    const span = this.#tracer.startSpan('code_mode.run', { startTime: at(begin), attributes, links }, parent);
    const inside = trace.setSpan(parent, span);
    this.#remember(run.runId, span);
    for (const { name, time } of run.marks) span.addEvent(`code_mode.run.${name}`, {}, at(time));
    this.#plan(run, inside);
    for (const call of run.calls.values()) this.#call(call, end.time, inside);
    const error = errorOf(run);
    if (error) this.#fail(span, error.code, error.message);
    finish(span, begin, end.time);
  }

  #plan({ plan, end }: FinishedRun, parent: Context): void {
    if (!plan) return;
    const attributes = planAttributes(plan, this.#options);
    const begin = plan.asked.time;
    finish(
      this.#tracer.startSpan('code_mode.plan', { startTime: at(begin), attributes }, parent),
      begin,
      plan.decided?.time ?? end.time,
    );
  }

  #call(call: CallFacts, runEnd: number, parent: Context): void {
    const { time: begin, data } = call.requested;
    const startOptions = { startTime: at(begin), attributes: toolAttributes(call), links: this.#links(data.undoes) };
    const span = this.#tracer.startSpan(`execute_tool ${data.tool}`, startOptions, parent);
    const end = call.endedAt ?? runEnd;
    if (span.isRecording()) {
      span.setAttributes(callAttributes(call, this.#options));
      if (call.startedAt !== undefined) span.addEvent('code_mode.call.started', {}, at(call.startedAt));
      const errorType = errorTypeOf(call);
      if (errorType !== undefined) this.#fail(span, errorType, call.error?.message);
    }
    this.#remember(data.callId, span);
    if (call.approvals.length > 0) this.#approvals(call, end, trace.setSpan(parent, span));
    finish(span, begin, end);
  }

  #approvals(call: CallFacts, callEnd: number, parent: Context): void {
    for (const approval of call.approvals) {
      const attributes = approvalAttributes(approval, this.#options);
      const begin = approval.asked.time;
      const span = this.#tracer.startSpan('code_mode.approval', { startTime: at(begin), attributes }, parent);
      finish(span, begin, approval.endedAt ?? callEnd);
    }
  }

  /** A message may quote an input: it is content. The code says what kind of error it was. */
  #fail(span: Span, code: string, message: string | undefined): void {
    const told = this.#options.captureContent === true && message !== undefined;
    span.setStatus({ code: SpanStatusCode.ERROR, message: told ? message : code });
  }

  #remember(id: string, span: Span): void {
    this.#written.set(id, span.spanContext());
    if (this.#written.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#written.keys()) {
      this.#written.delete(oldest);
      return;
    }
  }

  #links(...ids: readonly (string | undefined)[]): Link[] {
    return ids.flatMap((id) => {
      const context = id === undefined ? undefined : this.#written.get(id);
      return context ? [{ context }] : [];
    });
  }
}

/** A clock that was set back makes no negative time. */
function finish(span: Span, begin: number, end: number): void {
  span.end(at(Math.max(begin, end)));
}

/** Seconds and nanoseconds. A plain number is taken for a time since the page was loaded when it lies before that. */
function at(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1000);
  return [seconds, Math.round((epochMs - seconds * 1000) * 1e6)];
}
