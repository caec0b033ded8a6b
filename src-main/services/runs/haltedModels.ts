import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';

/**
 * Models that get no more requests, with the reason. Requests under way are awaited, because they
 * are paid for. The other runs wait for a resume while other models continue.
 */
export class HaltedModels {
  readonly #reasons = new Map<string, string>();
  readonly #controllers = new Map<string, AbortController>();
  readonly #everything = new AbortController();

  has(modelSettingsId: string): boolean {
    return this.#reasons.has(modelSettingsId);
  }

  /** How many models are halted. */
  get size(): number {
    return this.#reasons.size;
  }

  /** All reasons, one after the other. */
  get reasons(): string {
    return [...this.#reasons.values()].join(' ');
  }

  /** Aborted with a SendingHalted when the model, or every one, gets no more requests. */
  signalOf(modelSettingsId: string): AbortSignal {
    return this.#controllerOf(modelSettingsId).signal;
  }

  /** Aborted when no model gets any more requests. */
  get all(): AbortSignal {
    return this.#everything.signal;
  }

  /** Halts a model. Returns false when it was halted before. */
  halt(modelSettingsId: string, reason: string): boolean {
    if (this.#reasons.has(modelSettingsId)) return false;
    this.#reasons.set(modelSettingsId, reason);
    this.#controllerOf(modelSettingsId).abort(new SendingHalted(reason));
    return true;
  }

  /** Sends nothing more to any model, not even what runs in progress still need. */
  haltAll(reason: string): void {
    this.#everything.abort(new SendingHalted(reason));
    for (const controller of this.#controllers.values()) controller.abort(this.all.reason);
  }

  #controllerOf(modelSettingsId: string): AbortController {
    const controller = this.#controllers.get(modelSettingsId) ?? new AbortController();
    this.#controllers.set(modelSettingsId, controller);
    if (this.all.aborted) controller.abort(this.all.reason);
    return controller;
  }
}
