import type {
  AnalysedTool,
  OverlapWeights,
  SimilarityMeasure,
} from '../../../src-shared/domain/similarity.ts';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import {
  prepareTools,
  type Embedded,
  type PreparedTools,
} from '../../analysis/similarity/prepare.ts';
import { BlockWorker, type Target } from '../../analysis/similarity/rowBlock.ts';

export type SimilarityItem =
  | {
      kind: 'prepare';
      tools: readonly AnalysedTool[];
      measure: SimilarityMeasure;
      weights: OverlapWeights;
      full: boolean;
      embedded: Embedded | null;
    }
  /** Blocks of rows, named by their first tool; the prepared tools are the shared value. */
  | { kind: 'rows'; blocks: readonly number[] };

/** Sent to each worker once and shared by all its blocks. */
export interface SharedRows {
  prepared: PreparedTools;
  target: Target;
}

const workers = new WeakMap<SharedRows, BlockWorker>();

serveItems((item, { shared }) => {
  const work = item as SimilarityItem;
  if (work.kind === 'prepare') return prepareTools(work.tools, work);
  const rows = shared as SharedRows;
  let worker = workers.get(rows);
  if (!worker) workers.set(rows, (worker = new BlockWorker(rows.prepared, rows.target)));
  const blocks = worker;
  return work.blocks.map((first) => blocks.run(first)).filter(({ length }) => length > 0);
});
