import { findPython, type Interpreter } from '../../adapters/process/pythonInterpreter.ts';

/**
 * Finds Python once per setting. A failed search is repeated, because Python may have been
 * installed in the meantime.
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
      // The search is shared by all callers, so none of them may abort it.
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
