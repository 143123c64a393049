/** A model the person brings. The key lives in this object and nowhere else: no storage, no address bar. */
export interface OwnModel {
  /** Base address, for example `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string;
}

/** What is wrong with an entry, by field. Empty when it can be used. */
export type ModelIssues = Partial<Record<keyof OwnModel, string>>;

/** As the page's content policy names this computer; it has no word for IPv6 addresses. */
const LOCAL = /^(localhost|127\.0\.0\.1)$/;

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

/** What stands wherever the scripted model is named: nobody should take it for more than it is. */
export const SCRIPTED_LABEL = 'Scripted model, no AI';

/** Who answers in the chat. */
export interface ModelChoice {
  /** The model the person brought, or `undefined` while the scripted one answers. */
  get(): OwnModel | undefined;
  /** Takes effect with the next message. */
  set(model: OwnModel | undefined): void;
  subscribe(listener: () => void): () => void;
}

export function createModelChoice(): ModelChoice {
  const listeners = new Set<() => void>();
  let own: OwnModel | undefined;
  return {
    get: () => own,
    set(model) {
      own = model;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
