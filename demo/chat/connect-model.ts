import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { OwnModel } from './own-model.ts';

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
