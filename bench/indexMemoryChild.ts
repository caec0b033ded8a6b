import { bm25Ranker } from '../src-main/analysis/rankers/bm25.ts';
import { makeCatalogue } from './catalogue.ts';

/**
 * Prints the bytes that one tool costs in an index that is kept while its tools are not. Needs
 * --expose-gc.
 */
const count = Number(process.argv[2]);
const used = (): number => {
  for (let go = 0; go < 3; go += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const before = used();
// A function of its own: the frame of this module would keep the tools alive.
const build = () => bm25Ranker.index(makeCatalogue(count));
const index = build();
const after = used();
// Used after the measurement, so that the index is alive while it is taken.
if (index.top('list', 1).length !== 1) throw new Error('The index is empty.');
process.stdout.write(String(Math.round((after - before) / count)));
