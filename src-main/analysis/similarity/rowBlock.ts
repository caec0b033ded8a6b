import { blockRows, openProducts, type DenseProducts, type DenseSpace } from './denseSpace.ts';
import { packPair, pairPlace, scoreSteps, type KeptPairs } from './pairTable.ts';
import { flaggedBySemantic, type PreparedTools } from './prepare.ts';
import { addProducts, sizeOf, type SparseSpace } from './sparseSpace.ts';

export { blockRows } from './denseSpace.ts';

/** Where the pairs go: all into a shared table, or those at or above a floor into a list. */
export type Target = { kind: 'full'; table: Uint32Array } | { kind: 'kept'; floor: number };

const products = new WeakMap<WebAssembly.Memory, DenseProducts>();

function productsOf(space: DenseSpace): DenseProducts {
  let found = products.get(space.memory);
  if (!found) products.set(space.memory, (found = openProducts(space)));
  return found;
}

/** Products of a tool with every later one: those of the common features from the tile, the others added from their lists. */
function sumProducts(space: SparseSpace, tool: number, first: number, sums: Float32Array): void {
  if (space.common) sums.set(productsOf(space.common).row(tool - first).subarray(tool + 1), tool + 1);
  else sums.fill(0, tool + 1);
  addProducts(space, tool, sums);
}

/** Works through tools from `first` (a multiple of `blockRows`) against every later one. */
export class BlockWorker {
  readonly #prepared: PreparedTools;
  readonly #target: Target;
  readonly #sizes: Int32Array;
  readonly #described: Float32Array;
  readonly #shared: Float32Array;
  readonly #sparse: Float32Array;

  constructor(prepared: PreparedTools, target: Target) {
    this.#prepared = prepared;
    this.#target = target;
    this.#sizes = Int32Array.from({ length: prepared.count }, (_, tool) => sizeOf(prepared.parameters, tool));
    this.#described = new Float32Array(prepared.count);
    this.#shared = new Float32Array(prepared.count);
    this.#sparse = new Float32Array(prepared.semantic.kind === 'sparse' ? prepared.count : 0);
  }

  run(first: number): KeptPairs {
    const { semantic, description, parameters, count } = this.#prepared;
    const spaces = [description, parameters, ...(semantic.kind === 'sparse' ? [semantic.space] : [])];
    for (const { common } of spaces) if (common) productsOf(common).make(first);
    const dense = semantic.kind === 'dense' ? productsOf(semantic.space) : null;
    dense?.make(first);
    const kept: number[] = [];
    for (let tool = first; tool < Math.min(first + blockRows, count); tool += 1) {
      sumProducts(description, tool, first, this.#described);
      sumProducts(parameters, tool, first, this.#shared);
      if (semantic.kind === 'sparse') sumProducts(semantic.space, tool, first, this.#sparse);
      this.#combine(tool, dense ? dense.row(tool - first) : this.#sparse, kept);
    }
    return Uint32Array.from(kept);
  }

  #combine(tool: number, meant: Float32Array, kept: number[]): void {
    const { count, weights } = this.#prepared;
    const bySemantic = flaggedBySemantic(this.#prepared);
    const table = this.#target.kind === 'full' ? this.#target.table : null;
    const floor = this.#target.kind === 'kept' ? this.#target.floor : 0;
    const [described, shared, sizes] = [this.#described, this.#shared, this.#sizes];
    const rest = weights.semantic + weights.description;
    const rescale = rest === 0 ? 0 : 1 / rest;
    const own = sizes[tool] ?? 0;
    let place = pairPlace(tool, tool + 1, count);
    // Every index lies within its array, and products of weights are not negative but for embeddings: this runs for every pair.
    for (let other = tool + 1; other < count; other += 1, place += 1) {
      const angle = meant[other] as number;
      const semantic = angle < 0 ? 0 : angle > 1 ? 1 : angle;
      const cosine = described[other] as number;
      const text = cosine > 1 ? 1 : cosine;
      const both = own + (sizes[other] as number);
      const common = shared[other] as number;
      const said = weights.semantic * semantic + weights.description * text;
      // Most pairs share no parameter, and a division is the dearest thing here. Counts from the tile may miss a whole number by a hair.
      const sum = both === 0 ? said * rescale : common < 0.5 ? said : said + (weights.parameters * Math.round(common)) / (both - Math.round(common));
      const overlap = sum > 1 ? 1 : sum;
      const score = bySemantic ? semantic : text;
      if (table) table[place] = ((overlap * scoreSteps + 0.5) << 16) | (score * scoreSteps + 0.5);
      else if (overlap >= floor || score >= floor) kept.push(tool, other, packPair(overlap, score));
    }
  }
}
