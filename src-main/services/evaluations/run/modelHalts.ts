/**
 * Models that can't go on, with the reason: their runs wait for a resume, those of the others go
 * on.
 */
export class ModelHalts {
  readonly #reasons = new Map<string, string>();
  readonly #halts = new Map<string, AbortController>();
  readonly #over: AbortSignal;

  /** `over` is the end of the whole evaluation. */
  constructor(over: AbortSignal) {
    this.#over = over;
    over.addEventListener(
      'abort',
      () => {
        for (const halt of this.#halts.values()) halt.abort();
      },
      { once: true },
    );
  }

  has(modelSettingsId: string): boolean {
    return this.#reasons.has(modelSettingsId);
  }

  /** How many models are halted. */
  get size(): number {
    return this.#reasons.size;
  }

  /** What they all say, one after the other. */
  get words(): string {
    return [...this.#reasons.values()].join(' ');
  }

  /** Aborted when the model is halted, or the evaluation over. */
  signalOf(modelSettingsId: string): AbortSignal {
    return this.#haltOf(modelSettingsId).signal;
  }

  /** False where it was halted before. */
  halt(modelSettingsId: string, reason: string): boolean {
    if (this.#reasons.has(modelSettingsId)) return false;
    this.#reasons.set(modelSettingsId, reason);
    this.#haltOf(modelSettingsId).abort();
    return true;
  }

  #haltOf(modelSettingsId: string): AbortController {
    const halt = this.#halts.get(modelSettingsId) ?? new AbortController();
    this.#halts.set(modelSettingsId, halt);
    if (this.#over.aborted) halt.abort();
    return halt;
  }
}
