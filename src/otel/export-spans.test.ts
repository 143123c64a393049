import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, context, type ContextManager, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import { ToolError } from '../errors.ts';
import type { JournalEvent } from '../journal/events.ts';
import { readEvents } from '../journal/read-events.ts';
import { exportRunFile, importRunFile } from '../journal/run-file.ts';
import type { Recording } from '../journal/test-tools/recording.ts';
import { createCodeMode } from '../session/create-code-mode.ts';
import { createScriptedBench, waiting } from '../session/test-tools/scripted.ts';
import { exportSpans, exportSpansLive } from './export-spans.ts';

vi.setConfig({ testTimeout: 60_000 });

const memory = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
const tracer = provider.getTracer('test');
afterEach(() => memory.reset());
afterAll(() => provider.shutdown());

const FIXTURES = join(import.meta.dirname, '../journal/fixtures');
const recordings = ['v1', 'v2'].flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((file): [string, Recording] => [
    `${version}/${file}`,
    JSON.parse(readFileSync(join(FIXTURES, version, file), 'utf8')) as Recording,
  ]),
);
const recorded = (name: string): readonly JournalEvent[] =>
  readEvents(recordings.find(([known]) => known === `v2/${name}.json`)![1].events).events;

const spans = (): readonly ReadableSpan[] => memory.getFinishedSpans();
const named = (name: string): ReadableSpan[] => spans().filter((span) => span.name === name);
const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;
const childrenOf = (span: ReadableSpan): string[] =>
  spans()
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === idOf(span))
    .map(({ name }) => name)
    .toSorted();
const ms = ([seconds, nanos]: readonly [number, number]): number => seconds * 1000 + nanos / 1e6;
/** What a span is in comparisons: everything but its ids. */
const facts = ({ name, startTime, endTime, attributes, status, events, links }: ReadableSpan) => ({
  name,
  from: ms(startTime),
  to: ms(endTime),
  attributes,
  status,
  events: events.map((event) => [event.name, ms(event.time)]),
  links: links.length,
});

const wait = (delay: number) => new Promise((resolve) => setTimeout(resolve, delay));
const session = createScriptedBench();

describe('a run with parallel calls and an approval', () => {
  it('is a run span with a span for each call, and one for the wait for a person', async () => {
    await using executor = createNodeExecutor();
    const tools = [
      { name: 'orders.get', risk: 'read', execute: async ({ id }: { id: number }) => (await wait(20), { id, total: id * 10 }) },
      { name: 'refund', needsApproval: true, execute: ({ amount }: { amount: number }) => ({ paid: amount }) },
    ] as const;
    await using codeMode = createCodeMode({ executor, tools: [...tools], policy: [{ match: '*', effect: 'allow' }] });
    const chat = codeMode.session({ id: 'conversation-7' });
    const stop = exportSpansLive(chat.journal, tracer);
    const run = chat.run(
      'const orders = await Promise.all([1, 2, 3].map((id) => tools.orders.get({ id })));\nreturn tools.refund({ amount: orders[2].total })',
      { id: 'call-1', title: 'Refund' },
    );
    const [callId] = await waiting(chat);
    await wait(15);
    await chat.decide(callId!, { kind: 'allow' });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: { paid: 30 } });
    stop();

    const [root] = named('code_mode.run');
    expect(spans()).toHaveLength(6);
    expect(root!.parentSpanContext).toBeUndefined();
    expect(childrenOf(root!)).toEqual([...Array<string>(3).fill('execute_tool orders.get'), 'execute_tool refund']);
    expect(root!.attributes).toMatchObject({
      'gen_ai.conversation.id': 'conversation-7',
      'code_mode.run.id': 'call-1',
      'code_mode.run.status': 'completed',
      'code_mode.run.calls': 4,
    });
    const { journal } = chat;
    const timeOf = (type: JournalEvent['type'], of?: string) =>
      journal.events.find(
        (event) => event.type === type && (of === undefined || (event.data as { callId?: string }).callId === of),
      )!.time;
    expect([ms(root!.startTime), ms(root!.endTime)]).toEqual([timeOf('run.queued'), timeOf('run.completed')]);

    // In parallel: each began before any ended.
    const reads = named('execute_tool orders.get');
    expect(Math.max(...reads.map((span) => ms(span.startTime)))).toBeLessThan(Math.min(...reads.map((span) => ms(span.endTime))));
    expect(new Set(reads.map((span) => span.attributes['code_mode.call.group'])).size).toBe(1);
    expect(reads[0]!.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'orders.get',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call-1:1',
      'code_mode.call.status': 'succeeded',
      'code_mode.call.risk': 'read',
      'code.line.number': 1,
    });
    expect(reads[0]!.status.code).toBe(SpanStatusCode.UNSET);

    const [refund] = named('execute_tool refund');
    const [approval] = named('code_mode.approval');
    expect(approval!.parentSpanContext?.spanId).toBe(idOf(refund));
    expect(ms(approval!.endTime) - ms(approval!.startTime)).toBeGreaterThanOrEqual(10);
    expect([ms(approval!.startTime), ms(approval!.endTime)]).toEqual([
      timeOf('approval.requested', callId),
      timeOf('approval.decided', callId),
    ]);
    expect(approval!.attributes).toMatchObject({ 'code_mode.approval.decision': 'allow', 'code_mode.approval.scope': 'once' });
    expect(refund!.events.map(({ name, time }) => [name, ms(time)])).toEqual([
      ['code_mode.call.started', timeOf('tool_call.started', callId)],
    ]);
    // The person's time is in the approval, not in the handler's.
    expect(refund!.attributes['code_mode.call.handler_ms']).toBe(
      timeOf('tool_call.succeeded', callId) - timeOf('tool_call.started', callId),
    );

    const live = spans().map(facts);
    memory.reset();
    expect(exportSpans(journal, tracer)).toBe(1);
    expect(spans().map(facts)).toEqual(live);
  });
});

describe('how a call ended', () => {
  const told = (name: string) => {
    exportSpans(recorded(name), tracer);
    return spans()
      .filter((span) => span.name.startsWith('execute_tool'))
      .map(({ attributes, status }) => [attributes['code_mode.call.status'], attributes['error.type'], status.code]);
  };
  const { ERROR, UNSET } = SpanStatusCode;

  it('tells a denial from a failure, and both have a code', () => {
    expect(told('approvals')).toContainEqual(['denied', 'tool_denied', ERROR]);
    memory.reset();
    const failures = told('failures');
    expect(failures).toContainEqual(['failed', 'tool_error', ERROR]);
    expect(failures).toContainEqual(['failed', 'invalid_input', ERROR]);
    expect(named('code_mode.run')[0]).toMatchObject({
      status: { code: ERROR },
      attributes: { 'code_mode.run.status': 'failed' },
    });
  });

  it('tells that nobody answered in time', () => {
    expect(told('expired')).toEqual([['expired', 'approval_expired', ERROR]]);
    expect(named('code_mode.approval')[0]!.attributes['code_mode.approval.decision']).toBe('expired');
  });

  it('is no error when the run was cancelled', () => {
    expect(told('cancelled')).toEqual([['cancelled', undefined, UNSET]]);
    expect(named('code_mode.approval')[0]!.attributes['code_mode.approval.decision']).toBe('ended');
    expect(named('code_mode.run')[0]).toMatchObject({
      status: { code: UNSET },
      attributes: { 'code_mode.run.status': 'cancelled' },
    });
  });

  it('tells what a rule decided', () => {
    told('policy');
    expect(spans().map(({ attributes }) => attributes['code_mode.policy.effect'])).toContain('deny');
  });
});

describe('content', () => {
  it.each(recordings)('of %s stays where it is, unless it is asked for, and secrets stay then, too', (_name, { events }) => {
    const read = readEvents(events).events;
    exportSpans(read, tracer);
    const keys = new Set(spans().flatMap(({ attributes }) => Object.keys(attributes)));
    for (const key of [
      'gen_ai.tool.call.arguments',
      'gen_ai.tool.call.result',
      'code_mode.run.source',
      'code_mode.run.value',
      'code_mode.run.title',
      'code_mode.approval.question',
    ])
      expect(keys).not.toContain(key);
    for (const { status } of spans()) expect(status.message ?? 'none').toMatch(/^[a-z_]+$/);
    memory.reset();
    exportSpans(read, tracer, { captureContent: true });
    for (const { attributes } of spans()) {
      const { 'code_mode.run.source': _program, ...others } = attributes;
      expect(JSON.stringify(others)).not.toContain('swordfish');
    }
  });

  it('is JSON, masked by the schema of the tool, and left out where it is too long', async () => {
    const tools = [
      {
        name: 'pay',
        risk: 'read' as const,
        inputSchema: { type: 'object', properties: { card: { type: 'string', 'x-sensitive': true } } },
        execute: () => ({ at: new Date(0), text: 'x'.repeat(300), password: 'hidden' }),
      },
      { name: 'fail', risk: 'read' as const, execute: () => Promise.reject(new ToolError('card 4000 is unknown')) },
    ];
    const chat = session.session(
      {
        pay: async (call) => call('pay', { card: '4000', amount: 5 }),
        fail: async (call) => call('fail'),
      },
      { tools },
    );
    await chat.run('pay').outcome;
    await chat.run('fail').outcome;
    const schemas = (tool: string) => {
      const known = chat.tool?.(tool);
      return known && { input: known.inputJsonSchema };
    };
    exportSpans(chat.journal, tracer, { captureContent: true, schemas });
    const [pay] = named('execute_tool pay');
    expect(JSON.parse(String(pay!.attributes['gen_ai.tool.call.arguments']))).toEqual({ card: '••••••••', amount: 5 });
    expect(JSON.parse(String(pay!.attributes['gen_ai.tool.call.result']))).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      text: 'x'.repeat(300),
      password: '••••••••',
    });
    expect(named('execute_tool fail')[0]!.status.message).toContain('card 4000 is unknown');
    memory.reset();
    exportSpans(chat.journal, tracer, { captureContent: true, maxContentChars: 100 });
    const short = named('execute_tool pay')[0]!.attributes;
    expect(short['gen_ai.tool.call.result']).toBeUndefined();
    expect(short['code_mode.content.omitted']).toEqual(['gen_ai.tool.call.result']);
  });
});

describe('where spans belong', () => {
  it('is the parent that is given, for all or run by run', () => {
    const outer = tracer.startSpan('chat');
    const parent = trace.setSpan(ROOT_CONTEXT, outer);
    exportSpans(recorded('parallel'), tracer, { parent });
    expect(named('code_mode.run').every((span) => span.parentSpanContext?.spanId === outer.spanContext().spanId)).toBe(true);
    expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([outer.spanContext().traceId]));
    memory.reset();
    const asked: string[] = [];
    exportSpans(recorded('parallel'), tracer, { parent: ({ runId }) => (asked.push(runId), undefined) });
    expect(asked).toEqual(named('code_mode.run').map(({ attributes }) => attributes['code_mode.run.id']));
    expect(named('code_mode.run')[0]!.parentSpanContext).toBeUndefined();
  });

  it('is live the span in which the run was begun, whoever is at work when it ends', async () => {
    context.setGlobalContextManager(asyncContexts());
    try {
      const chat = session.session({ plain: async () => 1 }, {});
      const stop = exportSpansLive(chat.journal, tracer);
      const outer = tracer.startSpan('chat');
      const run = context.with(trace.setSpan(context.active(), outer), () => chat.run('plain'));
      await run.outcome;
      stop();
      await chat.run('plain').outcome;
      expect(named('code_mode.run').map((span) => span.parentSpanContext?.spanId)).toEqual([outer.spanContext().spanId]);
    } finally {
      context.disable();
    }
  });

  it('leaves out what the filter leaves out', async () => {
    const chat = session.session({ plain: async () => 1 }, {});
    const filter = ({ runId }: { runId: string }) => runId !== 'b';
    const stop = exportSpansLive(chat.journal, tracer, { filter, attributes: { tenant: 'acme' } });
    for (const id of ['a', 'b', 'c']) await chat.run('plain', { id }).outcome;
    stop();
    expect(named('code_mode.run').map(({ attributes }) => [attributes['code_mode.run.id'], attributes['tenant']])).toEqual([
      ['a', 'acme'],
      ['c', 'acme'],
    ]);
    expect(exportSpans(chat.journal, tracer, { filter })).toBe(2);
  });
});

describe('what belongs together', () => {
  it('is linked: a call and the one that took it back', async () => {
    const tools = [{ name: 'book', risk: 'write' as const, execute: () => 1, revert: async () => {} }];
    const chat = session.session({ book: (call) => call('book') }, { tools, policy: [{ match: '*', effect: 'allow' }] });
    const stop = exportSpansLive(chat.journal, tracer);
    const run = chat.run('book', { id: 'first' });
    await run.outcome;
    await chat.undo('first');
    stop();
    const [booked, undone] = named('execute_tool book');
    expect(undone!.attributes['code_mode.call.undoes']).toBe('first:1');
    expect(undone!.links.map((link) => link.context.spanId)).toEqual([idOf(booked)]);
    const [first, second] = named('code_mode.run');
    expect(second!.attributes['code_mode.run.undoes']).toBe('first');
    expect(second!.links.map((link) => link.context.spanId)).toEqual([idOf(first)]);
  });

  it('says of a call that its answer was given again, and of a run that it was interrupted', () => {
    const events = recorded('sequential');
    const at = events.findIndex(({ type }) => type === 'tool_call.succeeded');
    const { runId, data, ...rest } = events[at] as Extract<JournalEvent, { type: 'tool_call.succeeded' }>;
    const after = (type: 'run.interrupted' | 'run.resumed' | 'tool_call.replayed', own: object) =>
      ({ ...rest, runId, type, data: own }) as JournalEvent;
    const reloaded = [
      after('run.interrupted', {}),
      after('run.resumed', {}),
      after('tool_call.replayed', { callId: data.callId }),
    ];
    exportSpans(events.toSpliced(at + 1, 0, ...reloaded), tracer);
    const again = spans().filter(({ attributes }) => attributes['code_mode.call.replayed'] === true);
    expect(again.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual([data.callId]);
    expect(named('code_mode.run')[0]!.events.map(({ name }) => name)).toEqual([
      'code_mode.run.started',
      'code_mode.run.interrupted',
      'code_mode.run.resumed',
    ]);
  });
});

describe('a recording', () => {
  it.each(recordings)('%s gives a span for each finished run and each call, with the times of its day', (_name, recording) => {
    const { events } = readEvents(recording.events);
    const finished = Object.entries(recording.expected.runs).filter(([, status]) => /completed|failed|cancelled/.test(status));
    expect(exportSpans(events, tracer)).toBe(finished.length);
    expect(
      named('code_mode.run').map(({ attributes }) => [attributes['code_mode.run.id'], attributes['code_mode.run.status']]),
    ).toEqual(finished);
    const calls = Object.entries(recording.expected.calls).filter(([id]) => finished.some(([run]) => id.startsWith(`${run}:`)));
    const ended = spans().filter(({ name }) => name.startsWith('execute_tool'));
    expect(ended.map(({ attributes }) => String(attributes['gen_ai.tool.call.id'])).toSorted()).toEqual(
      calls.map(([id]) => id).toSorted(),
    );
    for (const span of ended) {
      const status = span.attributes['code_mode.call.status'];
      expect(status === 'expired' ? 'denied' : status).toBe(
        recording.expected.calls[String(span.attributes['gen_ai.tool.call.id'])],
      );
    }
    const [first, last] = [events[0]!.time, events.at(-1)!.time];
    for (const span of spans()) {
      expect(ms(span.startTime)).toBeGreaterThanOrEqual(first);
      expect(ms(span.endTime)).toBeLessThanOrEqual(last);
    }
  });

  it('that was exported as a file, masked, gives the same spans', async () => {
    const events = recorded('parallel');
    exportSpans(events, tracer);
    const direct = spans().map(facts);
    memory.reset();
    const source = { events, load: () => '""' };
    const file: unknown = JSON.parse(JSON.stringify(await exportRunFile(source, events.find(({ runId }) => runId)!.runId!)));
    exportSpans(importRunFile(file), tracer);
    expect(spans().map(facts)).toEqual(direct);
  });
});

/** A context manager as the Node SDK has one: what is active follows promises. */
function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, fn, self, ...args) => storage.run(active, () => fn.call(self, ...args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
