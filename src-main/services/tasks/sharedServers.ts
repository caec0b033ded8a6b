import { Semaphore, type Release } from '../../runtime/semaphore.ts';

/**
 * Servers that runs can't have to themselves: one run at a time, also of different evaluations.
 * Keep one for the whole program.
 */
export class SharedServers {
  readonly #slots = new Map<string, Semaphore>();

  /**
   * Waits until all of these addresses are free and returns how to give them back. Addresses are
   * taken in one order, so that two runs never wait for each other.
   */
  async take(addresses: readonly string[], signal: AbortSignal): Promise<Release> {
    const taken: Release[] = [];
    const release = () => taken.splice(0).forEach((each) => each());
    try {
      for (const address of [...new Set(addresses)].sort()) {
        const slot = this.#slots.get(address) ?? new Semaphore(1);
        this.#slots.set(address, slot);
        taken.push(await slot.acquire(signal));
      }
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}
