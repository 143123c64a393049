/** A run that does not run: it waits for a person, for a result that comes later, or for somebody to continue it. */
export class Standstill {
  readonly over: Promise<void>;
  #wake: () => void = () => {};

  constructor() {
    this.over = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }
}
