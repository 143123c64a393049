import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { resolveTools } from '../catalog/sources.ts';
import type { Tool, ToolSource } from '../catalog/tool.ts';
import { isHidden } from '../policy/rule-match.ts';
import type { CodeModeOptions } from './types.ts';

/** The tools of one session, rebuilt when the options that shape them change. */
export interface SessionCatalog {
  /** The catalogue of the options as they are now; at once when it is built. @throws InvalidOptionsError `invalid_tool` */
  now(): Catalog | Promise<Catalog>;
  /** The newest definition and handler of a tool. */
  latest(name: string): CatalogEntry | undefined;
  /** A tool as it is given, also when it is hidden or not selected. */
  defined(name: string): Tool | undefined;
}

interface Inputs<C> {
  readonly source: ToolSource<C>;
  readonly select: CodeModeOptions<C>['select'];
  readonly trust: CodeModeOptions<C>['trust'];
  readonly policy: CodeModeOptions<C>['policy'];
}

export function createSessionCatalog<C>(
  options: () => CodeModeOptions<C>,
  own: ToolSource<C> | undefined,
  context: C,
  /** The same list as long as the rules are the same. */
  rules: () => CodeModeOptions<C>['policy'],
  changed: (catalog: Catalog) => void,
): SessionCatalog {
  let built: Inputs<C> | undefined;
  let ready: Catalog | Promise<Catalog> | undefined;
  let current: Catalog | undefined;
  let given: readonly Tool[] = [];

  const inputs = (): Inputs<C> => {
    const { tools, select, trust } = options();
    return { source: own ?? tools, select, trust, policy: rules() };
  };
  const adopt = (catalog: Catalog): Catalog => {
    const news = catalog.version !== current?.version;
    current = catalog;
    if (news) changed(catalog);
    return catalog;
  };
  const build = (from: Inputs<C>): Catalog | Promise<Catalog> => {
    const tools = resolveTools(from.source, context);
    return tools instanceof Promise
      ? tools.then((list) => adopt(catalogOf((given = list), from, context)))
      : adopt(catalogOf((given = tools), from, context));
  };
  const refresh = (): Catalog | Promise<Catalog> => {
    const next = inputs();
    if (ready && built && same(built, next)) return ready;
    ready = build(next);
    built = next;
    if (ready instanceof Promise) {
      ready.catch(() => {
        built = undefined; // a source that failed once is asked again
      });
    }
    return ready;
  };

  return {
    now: refresh,
    latest(name) {
      try {
        void refresh();
      } catch {
        // a tool set that became unusable leaves the last good one in force
      }
      return current?.get(name);
    },
    defined: (name) => given.find((tool) => tool.name === name),
  };
}

function catalogOf<C>(tools: readonly Tool[], { select, trust, policy = [] }: Inputs<C>, context: C): Catalog {
  return createCatalog(tools, {
    ...(select && { select }),
    ...(trust && { trust }),
    context,
    hide: ({ name, title, risk, readOnly, trusted }) => isHidden(policy, { name, title, risk, readOnly, trusted }, context),
  });
}

function same<C>(a: Inputs<C>, b: Inputs<C>): boolean {
  return a.source === b.source && a.select === b.select && a.trust === b.trust && a.policy === b.policy;
}
