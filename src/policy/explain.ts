import type { CatalogEntry } from '../catalog/catalog.ts';
import { riskFacts } from '../catalog/risk.ts';
import type { Tool } from '../catalog/tool.ts';
import { type PolicyInputs, staticVoices, strictest, type Verdict, type Within } from './evaluate.ts';
import type { PolicyExplanation, PolicyRule, PolicyVoice, ToolCallQuestion } from './types.ts';

/** A call that nobody makes, and the rules it is held against. */
export interface HypotheticalCall<C = any> {
  readonly tool: Tool;
  /** @default {} */
  readonly input?: unknown;
  readonly context?: C;
  readonly policy?: readonly PolicyRule<C>[];
  /** The source's word counts like the application's own. @default true for tools of the application */
  readonly trusted?: boolean;
}

/** Which rule decides about a call that no session makes. */
export function explainHypothetical<C>(call: HypotheticalCall<C>): Promise<PolicyExplanation> {
  const { tool, input = {}, policy: rules = [], context } = call;
  const facts = riskFacts(tool, call.trusted === undefined ? undefined : () => call.trusted === true);
  const { risk, readOnly, trusted } = facts;
  const entry = { tool, name: tool.name, risk } as CatalogEntry;
  const question = (): ToolCallQuestion<C> => ({
    tool: { name: tool.name, title: tool.title ?? tool.name, risk, readOnly, trusted },
    input: structuredClone(input),
    callId: '',
    runId: '',
    sessionId: '',
    context: context as C,
  });
  const untouched = { calls: 0, sum: 0 };
  return explain(entry, question, { rules, trusted, taken: () => untouched }, async (work) => work);
}

/** Who decides about the call of this question, and what all the others said. */
export async function explain<C>(
  entry: CatalogEntry,
  question: () => ToolCallQuestion<C>,
  policy: PolicyInputs<C>,
  within: Within,
): Promise<PolicyExplanation> {
  const voices = await staticVoices(entry, question, policy, within);
  const deciding = strictest(voices);
  return explanationOf(entry.name, deciding, voices, policy.onToolCall !== undefined);
}

/** Puts a verdict into words. `asks`: somebody who was not asked may be stricter. */
export function explanationOf(tool: string, deciding: Verdict, voices: readonly Verdict[], asks: boolean): PolicyExplanation {
  return {
    ...voiceOf(deciding),
    words: wordsOf(tool, deciding),
    ...(deciding.index !== undefined && { ruleIndex: deciding.index }),
    ...(deciding.own && { own: deciding.own }),
    voices: voices.map(voiceOf),
    mayBeStricter: asks && deciding.effect !== 'deny' && deciding.effect !== 'hide',
  };
}

function voiceOf({ by, effect, reason, rule, failed }: Verdict): PolicyVoice {
  return {
    by,
    effect,
    ...(reason !== undefined && { reason }),
    ...(rule !== undefined && { rule }),
    ...(failed === true && { failed }),
  };
}

const DOES: Readonly<Record<Verdict['effect'], string>> = {
  allow: 'is allowed',
  ask: 'waits for a person',
  simulate: 'is simulated',
  deny: 'is denied',
  hide: 'is hidden',
};

function wordsOf(tool: string, { effect, by, rule, reason }: Verdict): string {
  const whose: Readonly<Record<Verdict['by'], string>> = {
    default: effect === 'allow' ? 'because nothing speaks against it' : 'by default',
    rule: rule === undefined ? 'by a rule' : `by the rule ${JSON.stringify(rule)}`,
    needs_approval: 'because the tool needs approval',
    on_tool_call: 'by onToolCall',
    grant: 'by a permission',
    plan: 'by the plan of its program',
  };
  return `${tool} ${DOES[effect]} ${whose[by]}${reason === undefined ? '' : `: ${reason}`}.`.replace(/([.!?…])\.$/, '$1');
}
