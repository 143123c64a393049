import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';

/** A model the person brings. The key lives in this object and nowhere else: no storage, no address bar. */
export interface OwnModel {
  /** Base address, for example `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string;
}

/** What is wrong with an entry, by field. Empty when it can be used. */
export type ModelIssues = Partial<Record<keyof OwnModel, string>>;

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export function checkModel({ url, model }: OwnModel): ModelIssues {
  const issues: ModelIssues = {};
  const address = URL.parse(url.trim());
  if (!address) issues.url = 'Give a whole address, such as https://models.example.test/v1.';
  else if (address.protocol === 'http:' && !LOCAL.test(address.hostname))
    issues.url = 'Unencrypted addresses are only allowed on this computer (localhost). Use https.';
  else if (address.protocol !== 'http:' && address.protocol !== 'https:')
    issues.url = 'The address must begin with https:// or http://localhost.';
  else if (/\/chat\/completions\/?$/.test(address.pathname))
    issues.url = 'Leave out /chat/completions; it is added to the address.';
  if (model.trim() === '') issues.model = 'Give the name of the model, as the endpoint knows it.';
  return issues;
}

/** The model behind the AI SDK's provider for OpenAI-compatible endpoints. */
export function connectModel({ url, model, key }: OwnModel): LanguageModelV4 {
  const provider = createOpenAICompatible({
    name: 'own',
    baseURL: url.trim(),
    ...(key.trim() && { apiKey: key.trim() }),
    fetch: fetchWithReason,
  });
  return provider(model.trim());
}

/** No answer came back. `reached` tells a refusal to share the answer (CORS) from nobody being there. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly host: string;
  readonly reached: boolean;

  constructor(host: string, reached: boolean, options?: ErrorOptions) {
    super(`no answer from ${host}`, options);
    this.host = host;
    this.reached = reached;
  }
}

async function fetchWithReason(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    if (!(error instanceof TypeError) || init?.signal?.aborted) throw error;
    const address = new URL(input instanceof Request ? input.url : input);
    throw new NoAnswerError(address.host, await reachable(address.origin), { cause: error });
  }
}

/** A browser hides why a request failed; one without CORS still tells whether anybody listens. */
async function reachable(origin: string): Promise<boolean> {
  try {
    await fetch(origin, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(4_000) });
    return true;
  } catch {
    return false;
  }
}
