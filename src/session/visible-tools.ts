import type { CatalogEntry } from '../catalog/catalog.ts';
import type { RunScope } from './run-scope.ts';

type Scope = Pick<RunScope, 'catalog' | 'hides'>;

/** The tool, unless a rule hides it by now: then it is as if it had never been there. */
export function visibleTool({ catalog, hides }: Scope, name: string): CatalogEntry | undefined {
  const entry = catalog.get(name);
  return entry && !hides(entry) ? entry : undefined;
}

/** Names close to a wrong one, none of a hidden tool. */
export function suggestedTools(scope: Scope, wrong: string): readonly string[] {
  return scope.catalog.suggest(wrong).filter((name) => name !== wrong && visibleTool(scope, name));
}
