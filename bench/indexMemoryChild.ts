import { bm25Ranker } from '../src-main/analysis/rankers/bm25.ts';
import { makeCatalogue } from './catalogue.ts';

/**
 * Prints the memory in bytes that one tool costs in an index whose tools are released. Needs
 * --expose-gc.
 */
const count = Number(process.argv[2]);
const used = (): number => {
  for (let go = 0; go < 3; go += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const before = used();
// A separate function, because the frame of this module would keep the tools alive.
const build = () => bm25Ranker.index(makeCatalogue(count));
const index = build();
const after = used();
// Used after the measurement, so that the index stays alive while it is measured.
if (index.top('list', 1).length !== 1) throw new Error('The index is empty.');
process.stdout.write(String(Math.round((after - before) / count)));
