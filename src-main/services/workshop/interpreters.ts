import { findPython, type Interpreter } from '../../adapters/process/pythonInterpreter.ts';

/**
 * Looks for Python once for each setting; one that is missing is looked for again, for it may be
 * installed meanwhile.
 */
export class Interpreters {
  readonly #named: () => string;
  #known: { named: string; found: Promise<Interpreter> } | null = null;

  constructor(named: () => string) {
    this.#named = named;
  }

  async find(signal: AbortSignal): Promise<Interpreter> {
    const named = this.#named();
    if (this.#known?.named !== named) {
      // One look serves all who wait, so none of them may end it.
      const found = findPython(named, new AbortController().signal);
      const known = { named, found };
      this.#known = known;
      const forget = (): void => {
        if (this.#known === known) this.#known = null;
      };
      found.then((interpreter) => interpreter.found || forget(), forget);
    }
    signal.throwIfAborted();
    return this.#known.found;
  }
}
