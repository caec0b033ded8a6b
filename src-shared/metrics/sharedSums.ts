/** Sums with those that follow them, by what is added. Both are shared, so neither is changed. */
export interface Shared<Sums> {
  readonly sums: Readonly<Sums>;
  readonly next: Map<number, Shared<Sums>>;
}

/**
 * Keeps equal sums once: 100,000 cases have few different ones, and one object for each case would take
 * several times the memory of the rest of a summary.
 */
export class SharedSums<Sums extends Readonly<Record<keyof Sums, number>>> {
  readonly none: Shared<Sums>;
  readonly #known = new Map<string, Shared<Sums>>();

  constructor(none: Sums) {
    this.none = this.#shared(none);
  }

  /** The sums after something was added to others. The same `step` always adds the same. */
  after(from: Shared<Sums>, step: number, add: (sums: Sums) => void): Shared<Sums> {
    const known = from.next.get(step);
    if (known !== undefined) return known;
    const sums = { ...from.sums };
    add(sums);
    const next = this.#shared(sums);
    from.next.set(step, next);
    return next;
  }

  #shared(sums: Sums): Shared<Sums> {
    const key = Object.values(sums).join(' ');
    const shared = this.#known.get(key) ?? { sums, next: new Map<number, Shared<Sums>>() };
    this.#known.set(key, shared);
    return shared;
  }
}
