/**
 * Models that can't go on, with the reason. Their runs wait for a resume while other models
 * continue.
 */
export class HaltedModels {
  readonly #reasons = new Map<string, string>();
  readonly #controllers = new Map<string, AbortController>();
  readonly #evaluationSignal: AbortSignal;

  /** `evaluationSignal` aborts all models when the evaluation ends. */
  constructor(evaluationSignal: AbortSignal) {
    this.#evaluationSignal = evaluationSignal;
    evaluationSignal.addEventListener(
      'abort',
      () => {
        for (const controller of this.#controllers.values()) controller.abort();
      },
      { once: true },
    );
  }

  has(modelSettingsId: string): boolean {
    return this.#reasons.has(modelSettingsId);
  }

  reasonOf(modelSettingsId: string): string | undefined {
    return this.#reasons.get(modelSettingsId);
  }

  /** How many models are halted. */
  get size(): number {
    return this.#reasons.size;
  }

  /** All reasons, one after the other. */
  get reasons(): string {
    return [...this.#reasons.values()].join(' ');
  }

  /** Aborted when the model is halted or the evaluation ends. */
  signalOf(modelSettingsId: string): AbortSignal {
    return this.#controllerOf(modelSettingsId).signal;
  }

  /** Halts a model. Returns false when it was halted before. */
  halt(modelSettingsId: string, reason: string): boolean {
    if (this.#reasons.has(modelSettingsId)) return false;
    this.#reasons.set(modelSettingsId, reason);
    this.#controllerOf(modelSettingsId).abort();
    return true;
  }

  #controllerOf(modelSettingsId: string): AbortController {
    const controller = this.#controllers.get(modelSettingsId) ?? new AbortController();
    this.#controllers.set(modelSettingsId, controller);
    if (this.#evaluationSignal.aborted) controller.abort();
    return controller;
  }
}
