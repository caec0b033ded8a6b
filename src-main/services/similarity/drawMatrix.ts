import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { HeatMapOrder } from '../../../src-shared/contract/similarity.ts';
import { cellSteps, flaggedBit } from '../../../src-shared/display/heatCell.ts';
import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import {
  packedOverlap,
  pairPlace,
  pairsOf,
  scoreSteps,
  type PairTable,
} from '../../analysis/similarity/pairTable.ts';
import type { PairFilter } from '../../analysis/similarity/rankPairs.ts';

/**
 * The cells of the heat map above its diagonal, encoded as the contract defines: 16 bits per cell,
 * the overlap in the lower bits and the flag in the highest.
 */
export function drawMatrix(
  { tools }: SimilarityAnalysis,
  table: PairTable,
  order: Exclude<HeatMapOrder, 'cluster'> | readonly number[],
  isFlagged: PairFilter,
): { order: number[]; cells: string } {
  const positions = typeof order === 'string' ? sortedIndexes(tools, order) : [...order];
  const positionOf = new Int32Array(tools.length);
  positions.forEach((tool, place) => {
    positionOf[tool] = place;
  });
  const cells = new Uint16Array(pairsOf(tools.length));
  table.each((a, b, packed) => {
    const [x, y] = [positionOf[a] ?? 0, positionOf[b] ?? 0];
    cells[pairPlace(Math.min(x, y), Math.max(x, y), tools.length)] =
      Math.round((packedOverlap(packed) / scoreSteps) * cellSteps) |
      (isFlagged(a, b, packed) ? flaggedBit : 0);
  });
  return { order: positions, cells: Buffer.from(cells.buffer).toString('base64') };
}

function sortedIndexes(tools: SimilarityAnalysis['tools'], order: 'name' | 'server'): number[] {
  const keys = tools.map(({ server, name }) =>
    order === 'name' ? [name.toLowerCase(), server] : [server, name.toLowerCase()],
  );
  return keys
    .map((_, tool) => tool)
    .sort(
      (a, b) =>
        compareText(keys[a]?.[0] ?? '', keys[b]?.[0] ?? '') ||
        compareText(keys[a]?.[1] ?? '', keys[b]?.[1] ?? '') ||
        a - b,
    );
}
