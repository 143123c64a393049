import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import type { PolicyInputs } from '../policy/evaluate.ts';
import { explain, explainHypothetical, explanationOf } from '../policy/explain.ts';
import type { CallToExplain, PolicyExplanation } from '../policy/types.ts';
import type { Clock } from '../protocol/clock.ts';
import { encode } from '../protocol/codec.ts';
import { questionAbout } from './call-question.ts';
import type { Decisions } from './decisions.ts';
import { within } from './stopwatch.ts';

interface Explaining<C> {
  readonly sessionId: string;
  readonly context: C;
  readonly clock: Clock;
  readonly toolTimeoutMs: number;
  readonly decisions: Decisions<C>;
  /** The tool as it can be called; absent when it is hidden or not there. */
  entry(name: string): CatalogEntry | undefined;
  /** The tool as it is defined, also a hidden one. */
  defined(name: string): Tool | undefined;
  policy(entry: Pick<CatalogEntry, 'trusted'>): PolicyInputs<C>;
  trust(origin: Tool['origin']): boolean;
}

/** Who would decide about a call. Permissions of the session count, those of runs do not: no run makes it. */
export async function explainCall<C>(from: Explaining<C>, { tool, input = {} }: CallToExplain): Promise<PolicyExplanation> {
  const entry = from.entry(tool);
  if (!entry) return explainAbsent(from, tool, input);
  const text = encode(input, { dropUndefined: true });
  const { context, sessionId, clock, decisions } = from;
  const question = questionAbout({ runId: '', sessionId, context }, entry, '', text);
  const policy = { ...from.policy(entry), taken: decisions.limitBook.taken('') };
  const said = await explain(entry, question, policy, (work, what) => within(clock, from.toolTimeoutMs, work, what));
  if (said.effect !== 'ask' || said.own) return said;
  const loading = decisions.permissions.load();
  if (loading) await loading;
  const { definitionHash, risk } = entry;
  const grant = decisions.permissions.book.covering({ tool, definitionHash, risk, runId: '', input: text });
  if (!grant) return said;
  const voice = { effect: 'allow', by: 'grant', reason: grant.words, grantId: grant.id } as const;
  return {
    ...explanationOf(tool, voice, [], said.mayBeStricter),
    voices: [...said.voices, { effect: 'allow', by: 'grant', reason: grant.words }],
  };
}

async function explainAbsent<C>(from: Explaining<C>, name: string, input: unknown): Promise<PolicyExplanation> {
  const tool = from.defined(name);
  if (tool) {
    const trusted = from.trust(tool.origin);
    return explainHypothetical({ tool, input, context: from.context, policy: from.policy({ trusted }).rules, trusted });
  }
  return {
    effect: 'deny',
    by: 'default',
    reason: 'there is no such tool',
    words: `${name} is denied by default: there is no such tool.`,
    voices: [],
    mayBeStricter: false,
  };
}
