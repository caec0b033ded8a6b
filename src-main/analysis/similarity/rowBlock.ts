import { blockRows, openProducts, type DenseProducts, type DenseSpace } from './denseSpace.ts';
import { packPair, pairPlace, type KeptPairs } from './pairTable.ts';
import { flaggedBySemantic, type PreparedTools } from './prepare.ts';
import { addProducts, sizeOf } from './sparseSpace.ts';

export { blockRows } from './denseSpace.ts';

/** Where the pairs go: all into a shared table, or those at or above a floor into a list. */
export type Target = { kind: 'full'; table: Uint32Array } | { kind: 'kept'; floor: number };

const products = new WeakMap<WebAssembly.Memory, DenseProducts>();

function productsOf(space: DenseSpace): DenseProducts {
  let found = products.get(space.memory);
  if (!found) products.set(space.memory, (found = openProducts(space)));
  return found;
}

/** Works through tools from `first` (a multiple of `blockRows`) against every later one. */
export class BlockWorker {
  readonly #prepared: PreparedTools;
  readonly #target: Target;
  readonly #sizes: Int32Array;
  readonly #described: Float64Array;
  readonly #shared: Float64Array;
  readonly #sparse: Float64Array;

  constructor(prepared: PreparedTools, target: Target) {
    this.#prepared = prepared;
    this.#target = target;
    this.#sizes = Int32Array.from({ length: prepared.count }, (_, tool) => sizeOf(prepared.parameters, tool));
    this.#described = new Float64Array(prepared.count);
    this.#shared = new Float64Array(prepared.count);
    this.#sparse = new Float64Array(prepared.semantic.kind === 'sparse' ? prepared.count : 0);
  }

  run(first: number): KeptPairs {
    const { semantic, description, parameters, count } = this.#prepared;
    const dense = semantic.kind === 'dense' ? productsOf(semantic.space) : null;
    dense?.make(first);
    const kept: number[] = [];
    for (let tool = first; tool < Math.min(first + blockRows, count); tool += 1) {
      this.#described.fill(0, tool + 1);
      this.#shared.fill(0, tool + 1);
      addProducts(description, tool, this.#described);
      addProducts(parameters, tool, this.#shared);
      if (semantic.kind === 'sparse') {
        this.#sparse.fill(0, tool + 1);
        addProducts(semantic.space, tool, this.#sparse);
      }
      this.#combine(tool, dense ? dense.row(tool - first) : this.#sparse, kept);
    }
    return Uint32Array.from(kept);
  }

  #combine(tool: number, meant: Float64Array | Float32Array, kept: number[]): void {
    const { count, weights } = this.#prepared;
    const bySemantic = flaggedBySemantic(this.#prepared);
    const table = this.#target.kind === 'full' ? this.#target.table : null;
    const floor = this.#target.kind === 'kept' ? this.#target.floor : 0;
    const [described, shared, sizes] = [this.#described, this.#shared, this.#sizes];
    const rest = weights.semantic + weights.description;
    const rescale = rest === 0 ? 0 : 1 / rest;
    const own = sizes[tool] ?? 0;
    let place = pairPlace(tool, tool + 1, count);
    for (let other = tool + 1; other < count; other += 1, place += 1) {
      const semantic = Math.max(0, Math.min(1, meant[other] ?? 0));
      const text = Math.min(1, described[other] ?? 0);
      const both = own + (sizes[other] ?? 0);
      const common = shared[other] ?? 0;
      const said = weights.semantic * semantic + weights.description * text;
      const overlap = both === 0 ? said * rescale : said + (weights.parameters * common) / (both - common);
      const score = bySemantic ? semantic : text;
      if (table) table[place] = packPair(Math.min(1, overlap), score);
      else if (overlap >= floor || score >= floor) kept.push(tool, other, packPair(Math.min(1, overlap), score));
    }
  }
}
