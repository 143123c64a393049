import type { Node } from './ast.ts';

/** One scope of a program while it is walked: names it declares, names used in it that may come from outside. */
export class Scope {
  readonly declared = new Set<string>();
  readonly used = new Map<string, Node>();
  readonly parent: Scope | undefined;
  readonly isFunction: boolean;
  readonly #all: Set<string>;

  constructor(parent: Scope | undefined, isFunction: boolean, all: Set<string>) {
    this.parent = parent;
    this.isFunction = isFunction;
    this.#all = all;
  }

  declare(names: readonly string[]): void {
    for (const name of names) {
      this.declared.add(name);
      this.#all.add(name);
    }
  }

  hoist(names: readonly string[]): void {
    if (this.isFunction || !this.parent) this.declare(names);
    else this.parent.hoist(names);
  }
}
