import { findPython, type Interpreter } from '../../adapters/process/pythonInterpreter.ts';

/**
 * Looks for Python once for each setting; one that is missing is looked for again, for it may be
 * installed meanwhile.
 */
export class Interpreters {
  readonly #getConfiguredPath: () => string;
  #cached: { named: string; found: Promise<Interpreter> } | null = null;

  constructor(named: () => string) {
    this.#getConfiguredPath = named;
  }

  async find(signal: AbortSignal): Promise<Interpreter> {
    const named = this.#getConfiguredPath();
    if (this.#cached?.named !== named) {
      // One look serves all who wait, so none of them may end it.
      const found = findPython(named, new AbortController().signal);
      const known = { named, found };
      this.#cached = known;
      const forget = (): void => {
        if (this.#cached === known) this.#cached = null;
      };
      found.then((interpreter) => interpreter.found || forget(), forget);
    }
    signal.throwIfAborted();
    return this.#cached.found;
  }
}
