import { severityRank } from '../domain/severity.ts';
import { isFlagged } from '../domain/flaggedPair.ts';
import type { ToolOfModel, ToolRow, WorkReason } from '../domain/toolRow.ts';
import { needsWork } from './qualityTexts.ts';

export const failedRuns = ({ scored, passed }: Pick<ToolOfModel, 'scored' | 'passed'>): number =>
  scored - passed;

/** The model of a tool's last result that failed most; of equal ones the first. */
export const worstModel = ({ result }: Pick<ToolRow, 'result'>): ToolOfModel | null =>
  result === null
    ? null
    : result.models.reduce((worst, model) =>
        failedRuns(model) > failedRuns(worst) ? model : worst,
      );

/**
 * Why a tool needs work, the first reason that holds; null if none does. `fails`: a model passed at
 * most half of its scored runs in the last result. `signal`: an open security signal is high or
 * critical. `similar`: another tool is at least as similar as the setting says. `quality`: the
 * score is low enough. Source: docs/rules.md §4.
 */
export function workReason(
  row: Pick<ToolRow, 'result' | 'quality' | 'mostSimilar' | 'signals'>,
  similarFrom: number,
): WorkReason | null {
  const { result, quality, mostSimilar, signals } = row;
  if (result?.models.some(({ passed, scored }) => 2 * passed <= scored) === true) return 'fails';
  if (signals?.worst != null && severityRank[signals.worst] >= severityRank.high) return 'signal';
  if (isTooSimilar({ mostSimilar }, similarFrom)) return 'similar';
  return quality !== null && needsWork({ score: quality }) ? 'quality' : null;
}

/** True if another tool is at least as similar as the setting says: models may confuse the two. */
export const isTooSimilar = (
  { mostSimilar }: Pick<ToolRow, 'mostSimilar'>,
  similarFrom: number,
): boolean => mostSimilar !== null && isFlagged({ score: mostSimilar.similarity }, similarFrom);

/** True if a model called another tool where this one was expected, in its last result. */
export const isConfused = ({ result }: Pick<ToolRow, 'result'>): boolean =>
  result?.models.some(({ instead }) => instead.length > 0) === true;

const reasonRank: Record<WorkReason, number> = { fails: 0, signal: 1, similar: 2, quality: 3 };

/**
 * Orders what needs work first: by reason, then by failed runs of the worst model, its pass rate,
 * severity of signals, similarity where it is the reason, quality, and similarity. Source:
 * docs/rules.md §4.
 */
export function byWork(a: ToolRow, b: ToolRow): number {
  const [first, second] = [workKeys(a), workKeys(b)];
  const at = first.findIndex((key, index) => key !== second[index]);
  return (first[at] ?? 0) - (second[at] ?? 0);
}

function workKeys(row: ToolRow): number[] {
  const { needsWork: reason, signals, mostSimilar, quality } = row;
  const worst = worstModel(row);
  const similarity = mostSimilar?.similarity ?? 0;
  return [
    reason === null ? 4 : reasonRank[reason],
    worst === null ? 0 : -failedRuns(worst),
    worst === null ? 1 : worst.passed / worst.scored,
    signals?.worst == null ? 0 : -severityRank[signals.worst],
    reason === 'similar' ? -similarity : 0,
    quality ?? 11,
    -similarity,
  ];
}
