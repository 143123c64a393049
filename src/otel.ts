/** Spans of runs, calls and approvals for OpenTelemetry. Needs `@opentelemetry/api`, and an SDK of the application. */
export { exportSpans, exportSpansLive } from './otel/export-spans.ts';
export type { LiveJournal, SpanSource } from './otel/export-spans.ts';
export type { RunToExport, SpanOptions } from './otel/options.ts';
