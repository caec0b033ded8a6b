import { compareText } from '../../../src-shared/domain/compareText.ts';
import { cellSteps } from '../../../src-shared/display/heatCell.ts';
import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { pairPlace, pairsOf } from '../../analysis/similarity/pairTable.ts';
import { tableScore } from '../../analysis/similarity/tableScore.ts';
import type { Compared } from './similarityEngine.ts';

/**
 * The cells of the heat map above its diagonal, encoded as the contract defines. `clustered` are
 * the tools in an order that puts similar ones next to each other.
 */
export function drawMatrix(
  { tools }: Pick<SimilarityAnalysis, 'tools'>,
  { prepared, table }: Compared,
  clustered: readonly number[],
): { order: number[]; cells: string } {
  const order = byServer(tools, clustered);
  const positionOf = new Int32Array(tools.length);
  order.forEach((tool, place) => {
    positionOf[tool] = place;
  });
  const cells = new Uint16Array(pairsOf(tools.length));
  table.each((a, b, steps) => {
    const [x, y] = [positionOf[a] ?? 0, positionOf[b] ?? 0];
    cells[pairPlace(Math.min(x, y), Math.max(x, y), tools.length)] = Math.floor(
      tableScore(prepared, a, b, steps) * cellSteps + 1e-6,
    );
  });
  return { order, cells: Buffer.from(cells.buffer).toString('base64') };
}

/** The server with the most tools first; within a server, the order of the clusters. */
function byServer(tools: SimilarityAnalysis['tools'], clustered: readonly number[]): number[] {
  const sizes = new Map<string, number>();
  for (const { server } of tools) sizes.set(server, (sizes.get(server) ?? 0) + 1);
  const placeOf = new Map(clustered.map((tool, place) => [tool, place]));
  const serverOf = (tool: number): string => tools[tool]?.server ?? '';
  const sizeOf = (tool: number): number => sizes.get(serverOf(tool)) ?? 0;
  return [...clustered].sort(
    (a, b) =>
      sizeOf(b) - sizeOf(a) ||
      compareText(serverOf(a), serverOf(b)) ||
      (placeOf.get(a) ?? 0) - (placeOf.get(b) ?? 0),
  );
}
