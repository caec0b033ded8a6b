import { causeTexts } from '../../../../src-shared/display/judgementTexts.ts';
import type { NotScoredReason, ReportTable } from '../report.ts';
import { undecidedText } from './evaluationRuns.ts';
import type { ReportSource } from './reportSource.ts';

const maxReasons = 20;

/** Why runs have no score, the most frequent reason first. Runs that were not run need none. */
export function notScoredReasons({ unscored, verdict }: ReportSource): NotScoredReason[] {
  const failed = unscored.flatMap(({ failure, message, runs }) =>
    failure === null || failure === 'cancelled' || failure === 'interrupted'
      ? []
      : [{ reason: causeTexts[failure], message, runs }],
  );
  // All other ones have an answer, and nothing says whether its arguments are right.
  const undecided = verdict.counts.not_scored - failed.reduce((sum, { runs }) => sum + runs, 0);
  return [
    ...failed,
    ...(undecided > 0 ? [{ reason: undecidedText, message: null, runs: undecided }] : []),
  ]
    .sort((a, b) => b.runs - a.runs)
    .slice(0, maxReasons);
}

/** The reasons as a table; only for evaluations with runs that are not scored. */
export const notScoredTable = (source: ReportSource): ReportTable => ({
  title: 'Not scored',
  columns: [
    { title: 'Reason', name: 'reason', kind: 'word' },
    { title: 'Message', name: 'message', kind: 'text' },
    { title: 'Runs', name: 'runs', kind: 'number' },
  ],
  rows: () =>
    notScoredReasons(source).map(({ reason, message, runs }) => ({
      cells: [reason, message, runs],
      important: true,
    })),
});
