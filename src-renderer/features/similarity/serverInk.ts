import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import { seriesInk } from '../../ui/charts/seriesStyle.tsx';

const orders = new WeakMap<SimilarityAnalysis, readonly string[]>();

/** The color of a server, the same as its band in the map: the one with the most tools is first. */
export function serverInk(analysis: SimilarityAnalysis, server: string): string {
  let order = orders.get(analysis);
  if (order === undefined) {
    const sizes = new Map<string, number>();
    for (const tool of analysis.tools) sizes.set(tool.server, (sizes.get(tool.server) ?? 0) + 1);
    order = [...sizes]
      .sort(([x, sizeX], [y, sizeY]) => sizeY - sizeX || compareText(x, y))
      .map(([name]) => name);
    orders.set(analysis, order);
  }
  return seriesInk(Math.max(0, order.indexOf(server)));
}
