import { createHash } from 'node:crypto';

/** Reproducible choices: the same purpose gives the same sequence on every machine. */
export class Choices {
  readonly #purpose: string;
  #drawn = 0;

  constructor(purpose: string) {
    this.#purpose = purpose;
  }

  integer(below: number): number {
    this.#drawn += 1;
    return numberOf(`${this.#purpose} ${this.#drawn}`) % below;
  }

  /** Throws if the list is empty. */
  of<T>(list: readonly T[]): T {
    const chosen = list[this.integer(list.length)];
    if (chosen === undefined) throw new Error(`Nothing to choose from (${this.#purpose}).`);
    return chosen;
  }
}

/** A number in 0–2³²−1 that depends on nothing but the text. */
export const numberOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0);
