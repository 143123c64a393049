import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../types.ts';
import { acpOptions, type AcpOption, fromAcpOutcome, toAcpOutcome } from './acp.ts';
import { fromAgUiInterrupt, fromAgUiResume, toAgUiInterrupt, toAgUiResume } from './ag-ui.ts';
import { fromHumanResponse, type HumanResponse, toHumanInterrupt, toHumanResponse } from './langgraph.ts';
import { toDecision, toPlainDecision } from './plain.ts';

const reason = fc.option(fc.string(), { nil: undefined });
const input = fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined });
const scope = fc.constantFrom(undefined, 'once' as const, 'run' as const, 'session' as const, 'always' as const);
const without = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
const decision: fc.Arbitrary<Decision> = fc
  .oneof(
    fc.record({ kind: fc.constant('allow' as const), scope, input }),
    fc.record({ kind: fc.constant('deny' as const), reason }),
    fc.record({ kind: fc.constant('answer' as const), output: fc.jsonValue(), reason }),
    fc.record({ kind: fc.constant('cancelRun' as const), reason }),
  )
  .map((each) => without(each) as Decision);
/** `scope: 'once'` is what nothing means. */
const meaning = (given: Decision): Decision => {
  if (given.kind !== 'allow') return given;
  const { scope: reach, ...rest } = given;
  return reach === undefined || reach === 'once' ? rest : given;
};

describe.each<[string, (given: Decision) => Decision | undefined]>([
  ['{ allowed }', (given) => back(toPlainDecision(given), toDecision)],
  ['AG-UI', (given) => back(toAgUiResume('c', given), (entry) => fromAgUiResume(entry).decision)],
  ['LangGraph', (given) => back(toHumanResponse('tool', given), fromHumanResponse)],
  ['ACP', (given) => back(toAcpOutcome(given, OPTIONS), (outcome) => fromAcpOutcome(outcome, OPTIONS))],
  [
    'ACP with a store',
    (given) => back(toAcpOutcome(given, OPTIONS, 'always'), (said) => fromAcpOutcome(said, OPTIONS, 'always')),
  ],
])('a decision in the words of %s', (_, roundTrip) => {
  it('comes back the same, or has no words there', () => {
    fc.assert(
      fc.property(decision, (given) => {
        const returned = roundTrip(given);
        if (returned) expect(meaning(returned)).toEqual(meaning(given));
      }),
    );
  });

  it('has words for a plain yes and a plain no', () => {
    expect(roundTrip({ kind: 'allow' })).toEqual({ kind: 'allow' });
    expect(roundTrip({ kind: 'deny' })).toEqual({ kind: 'deny' });
  });
});

const OPTIONS: readonly AcpOption[] = acpOptions({ allowOnce: 'Allow', allowAlways: 'Always', reject: 'Deny' });

function back<T>(words: T | undefined, read: (words: T) => Decision): Decision | undefined {
  return words === undefined ? undefined : read(JSON.parse(JSON.stringify(words)) as T);
}

describe('what comes in', () => {
  it('is a permission only when it says so', () => {
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        const said = payload as { approved?: unknown } | null | undefined | boolean;
        const yes = said === true || (typeof said === 'object' && said !== null && said.approved === true);
        const { decision: read } = fromAgUiResume({ interruptId: 'c', status: 'resolved', payload });
        expect(read.kind).toBe(yes ? 'allow' : 'deny');
        expect(fromAgUiResume({ interruptId: 'c', status: payload as 'resolved', payload: true }).decision.kind).not.toBe(
          'allow',
        );
        expect(fromHumanResponse({ type: 'edit', args: payload as string } as HumanResponse).kind).toBe(
          typeof payload === 'object' &&
            payload !== null &&
            typeof (payload as { args?: unknown }).args === 'object' &&
            (payload as { args?: unknown }).args !== null
            ? 'allow'
            : 'deny',
        );
        expect(toDecision({ allowed: payload as boolean }).kind).toBe(payload === true ? 'allow' : 'deny');
        expect(fromAcpOutcome({ outcome: 'selected', optionId: payload as string }, []).kind).toBe('deny');
      }),
    );
  });

  it.each([
    [{ type: 'accept', args: null }, { kind: 'allow' }],
    [{ type: 'ignore', args: null }, { kind: 'deny' }],
    [
      { type: 'response', args: 'use the other one' },
      { kind: 'answer', output: 'use the other one' },
    ],
    [
      { type: 'edit', args: { action: 't', args: { n: 1 } } },
      { kind: 'allow', input: { n: 1 } },
    ],
  ] as const)('of LangGraph: %j', (given, wanted) => expect(fromHumanResponse(given)).toEqual(wanted));

  it.each([
    ['allow_once', { kind: 'allow' }],
    ['allow_always', { kind: 'allow', scope: 'session' }],
    ['reject_once', { kind: 'deny' }],
    ['reject_always', { kind: 'deny' }],
    ['_later', { kind: 'deny' }],
  ] as const)('of ACP: %s', (kind, wanted) =>
    expect(fromAcpOutcome({ outcome: 'selected', optionId: 'x' }, [{ optionId: 'x', name: 'X', kind }])).toEqual(wanted),
  );

  it('has no "always" for a danger', () => {
    expect(acpOptions({ allowOnce: 'a', allowAlways: 'b', reject: 'c' }, true).map(({ kind }) => kind)).toEqual([
      'allow_once',
      'reject_once',
    ]);
  });
});

describe('a question', () => {
  const call = fc
    .record({
      callId: fc.string(),
      tool: fc.string(),
      question: fc.string(),
      input: fc.jsonValue(),
      expiresAt: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined }),
    })
    .map(without);

  it('comes back from AG-UI the same', () => {
    fc.assert(
      fc.property(call, (given) => {
        expect(fromAgUiInterrupt(toAgUiInterrupt(given))).toEqual(given);
      }),
    );
    expect(fromAgUiInterrupt({ id: 'x', reason: 'other' })).toBeUndefined();
  });

  it('to LangGraph keeps tool, input and words', () => {
    expect(toHumanInterrupt({ tool: 'pay', question: 'Pay?', input: { n: 1 } })).toMatchObject({
      action_request: { action: 'pay', args: { n: 1 } },
      description: 'Pay?',
    });
    expect(toHumanInterrupt({ tool: 'pay', question: 'Pay?', input: 5 }).action_request.args).toEqual({ input: 5 });
  });
});
