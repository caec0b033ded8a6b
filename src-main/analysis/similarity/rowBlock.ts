import { blockRows, openProducts, type DenseProducts } from './denseSpace.ts';
import { openLists } from './listSpace.ts';
import { clamp } from './overlap.ts';
import { scoreSteps, pairPlace, toSteps, type KeptPairs } from './pairTable.ts';
import { describedSpace, type PreparedTools, type Semantic } from './prepare.ts';
import { dot, type SparseSpace } from './sparseSpace.ts';

export { blockRows } from './denseSpace.ts';

/** Where results go: all pairs into a shared table, or those at or above a floor into a list. */
export type Target = { kind: 'full'; table: Uint32Array } | { kind: 'kept'; floor: number };

/**
 * Products of a tool of the block with every later one: common features by the SIMD kernel, the
 * others added from their lists.
 */
function openSums({ common, lists }: SparseSpace): DenseProducts {
  const products = common ? openProducts(common) : null;
  const { sums, add } = openLists(lists);
  let begin = 0;
  return {
    make(first) {
      begin = first;
      products?.make(first);
    },
    row(row) {
      const tool = begin + row;
      if (products) sums.set(products.row(row).subarray(tool + 1), tool + 1);
      else sums.fill(0, tool + 1);
      add(tool);
      return sums;
    },
  };
}

const openSemantic = (semantic: Semantic): DenseProducts =>
  semantic.kind === 'dense' ? openProducts(semantic.space) : openSums(semantic.space);

/** Compares the tools from `first` (a multiple of `blockRows`) with every later one. */
export class BlockWorker {
  readonly #prepared: PreparedTools;
  readonly #target: Target;
  readonly #sizes: Float64Array;
  readonly #semantic: DenseProducts;
  /** Null where the similarity of the descriptions, here `semantic`, is the measure. */
  readonly #others: { description: DenseProducts; parameters: DenseProducts } | null;

  constructor(prepared: PreparedTools, target: Target) {
    const { measure, semantic, description, parameters, count } = prepared;
    this.#prepared = prepared;
    this.#target = target;
    this.#sizes = Float64Array.from({ length: count }, (_, tool) => dot(parameters, tool, tool));
    this.#semantic = openSemantic(measure === 'overlap' ? semantic : describedSpace(prepared));
    this.#others =
      measure === 'overlap'
        ? { description: openSums(description), parameters: openSums(parameters) }
        : null;
  }

  run(first: number): KeptPairs {
    const others = this.#others;
    for (const products of [this.#semantic, others?.description, others?.parameters])
      products?.make(first);
    const kept: number[] = [];
    for (let tool = first; tool < Math.min(first + blockRows, this.#prepared.count); tool += 1) {
      const row = tool - first;
      const meant = this.#semantic.row(row);
      if (others)
        this.#combine(
          tool,
          { meant, described: others.description.row(row), shared: others.parameters.row(row) },
          kept,
        );
      else this.#keep(tool, meant, kept);
    }
    return Uint32Array.from(kept);
  }

  /** The cosines themselves, clamped to 0–1. */
  #keep(tool: number, cosines: Float32Array, kept: number[]): void {
    const { count } = this.#prepared;
    const table = this.#target.kind === 'full' ? this.#target.table : null;
    const floor = this.#target.kind === 'kept' ? this.#target.floor : 0;
    let place = pairPlace(tool, tool + 1, count);
    for (let other = tool + 1; other < count; other += 1, place += 1) {
      const score = clamp(cosines[other] as number);
      if (table) table[place] = score * scoreSteps + 0.5;
      else if (score >= floor) kept.push(tool, other, toSteps(score));
    }
  }

  #combine(
    tool: number,
    { meant, described, shared }: Record<'meant' | 'described' | 'shared', Float32Array>,
    kept: number[],
  ): void {
    const { count, weights } = this.#prepared;
    const table = this.#target.kind === 'full' ? this.#target.table : null;
    const floor = this.#target.kind === 'kept' ? this.#target.floor : 0;
    const sizes = this.#sizes;
    const rest = weights.semantic + weights.description;
    const rescale = rest === 0 ? 0 : 1 / rest;
    const own = sizes[tool] ?? 0;
    let place = pairPlace(tool, tool + 1, count);
    // This runs for every pair, so it does without bounds checks. All indexes are within their
    // arrays, and products of weights are only negative for embeddings.
    for (let other = tool + 1; other < count; other += 1, place += 1) {
      const angle = meant[other] as number;
      const semantic = angle < 0 ? 0 : angle > 1 ? 1 : angle;
      const cosine = described[other] as number;
      const text = cosine > 1 ? 1 : cosine;
      const both = own + (sizes[other] as number);
      const common = shared[other] as number;
      const said = weights.semantic * semantic + weights.description * text;
      // Most pairs share no parameter, and the division is the most expensive step here.
      const sum =
        both === 0
          ? said * rescale
          : common === 0
            ? said
            : said + (weights.parameters * common) / (both - common);
      const overlap = sum > 1 ? 1 : sum;
      if (table) table[place] = overlap * scoreSteps + 0.5;
      else if (overlap >= floor) kept.push(tool, other, toSteps(overlap));
    }
  }
}
