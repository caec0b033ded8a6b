import type { Objective } from '../../src-shared/domain/optimization.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { saysNothing } from '../analysis/advice/saysNothing.ts';
import { applyCatalog, type Catalog } from './catalog.ts';
import type { CaseScore } from './effects.ts';
import { caseFront, tokenFront, type Scored } from './pareto.ts';

/** A catalog that was tried on the whole search half. Step 0 is the catalog as it is. */
export interface Member extends Scored {
  step: number;
  catalog: Catalog;
  scores: readonly CaseScore[];
  /** Tools whose descriptions said nothing and now say something. */
  repaired: number;
}

interface PoolInput {
  tools: readonly Tool[];
  objective: Objective;
  countTokens: (tool: Tool) => number;
}

export const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** The catalogs that gained on the search half, the catalog as it is first, and which is best. */
export class Pool {
  readonly #tools: readonly Tool[];
  readonly #objective: Objective;
  readonly #countTokens: (tool: Tool) => number;
  readonly #tokensOf = new WeakMap<Tool, number>();
  readonly #members: Member[];

  /** `baseline`: how the search cases came out with the tools as they are. */
  constructor({ tools, objective, countTokens }: PoolInput, baseline: readonly CaseScore[]) {
    this.#tools = tools;
    this.#objective = objective;
    this.#countTokens = countTokens;
    this.#members = [this.member(0, [], baseline)];
  }

  get members(): readonly Member[] {
    return this.#members;
  }

  add(member: Member): void {
    this.#members.push(member);
  }

  /** Whether a catalog passes every search case. */
  isPerfect(): boolean {
    return this.#members.some(({ scores }) =>
      scores.every(({ share }) => share !== null && share === 1),
    );
  }

  /** The members that may be a parent, by index, and how often each is drawn. */
  front(): { index: number; weight: number }[] {
    const objective = this.#objective;
    const byCase = objective === 'tokens' ? [] : caseFront(this.#members);
    if (objective === 'accuracy') return byCase;
    const eligible = tokenFront(this.#members).filter((index) =>
      this.isNotWorse(this.#members[index]?.passRate ?? 0),
    );
    // Cuts add up, so the shortest catalog is drawn as often as all others together.
    const [shortest, ...others] = eligible;
    const total = byCase.reduce((all, { weight }) => all + weight, 0) + others.length;
    return [
      ...byCase,
      ...others.map((index) => ({ index, weight: 1 })),
      ...(shortest === undefined ? [] : [{ index: shortest, weight: Math.max(1, total) }]),
    ];
  }

  /** True if a pass rate on the search half doesn't fall below the one of the catalog as it is. */
  isNotWorse(passRate: number): boolean {
    return passRate >= (this.#members[0]?.passRate ?? 0) - 1e-9;
  }

  /** Positive if `a` is the better catalog for the objective. */
  compare(a: Member, b: Member): number {
    const accuracy = a.passRate - b.passRate;
    const tokens = b.tokens - a.tokens;
    if (this.#objective === 'tokens') {
      const [fit, other] = [this.isNotWorse(a.passRate), this.isNotWorse(b.passRate)];
      if (fit !== other) return fit ? 1 : -1;
      return fit ? tokens || accuracy : accuracy || tokens;
    }
    return Math.abs(accuracy) > 1e-9 ? accuracy : a.repaired - b.repaired || tokens;
  }

  /** The best member; null if that is the catalog as it is. */
  best(): Member | null {
    const [start, ...others] = this.#members;
    if (!start) return null;
    const best = others.reduce((a, b) => (this.compare(b, a) > 0 ? b : a), start);
    return best === start ? null : best;
  }

  member(step: number, catalog: Catalog, scores: readonly CaseScore[]): Member {
    const shares = scores.map(({ share }) => share);
    const scored = shares.filter((share) => share !== null);
    return {
      step,
      catalog,
      scores,
      shares,
      repaired: this.#repaired(catalog),
      passRate: scored.length === 0 ? 0 : sum(scored) / scored.length,
      tokens: this.tokens(catalog),
    };
  }

  #repaired(catalog: Catalog): number {
    const after = applyCatalog(this.#tools, catalog);
    return this.#tools.filter((tool, at) => {
      const edited = after[at];
      return (
        edited !== undefined &&
        edited.description !== tool.description &&
        saysNothing(tool, this.#tools) !== null &&
        saysNothing(edited, after) === null
      );
    }).length;
  }

  /** Tokens of all tools with these edits. */
  tokens(catalog: Catalog): number {
    return applyCatalog(this.#tools, catalog).reduce((total, tool) => total + this.count(tool), 0);
  }

  count(tool: Tool): number {
    const known = this.#tokensOf.get(tool);
    if (known !== undefined) return known;
    const counted = this.#countTokens(tool);
    this.#tokensOf.set(tool, counted);
    return counted;
  }
}
