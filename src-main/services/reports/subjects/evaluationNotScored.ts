import { causeTexts } from '../../../../src-shared/display/judgementTexts.ts';
import type { NotScoredReason, ReportTable } from '../report.ts';
import type { ReportSource } from './reportSource.ts';
import { field, tableOf } from './tableOf.ts';

const maxReasons = 20;

/** Why runs have no score, the most frequent reason first. Runs that were not run need none. */
export function notScoredReasons({ unscored }: ReportSource): NotScoredReason[] {
  return unscored
    .flatMap(({ failure, message, runs }) =>
      failure === null || failure === 'cancelled' || failure === 'interrupted'
        ? []
        : [{ reason: causeTexts[failure], message, runs }],
    )
    .slice(0, maxReasons);
}

/** The reasons as a table; only for evaluations with runs that are not scored. */
export const notScoredTable = (source: ReportSource): ReportTable =>
  tableOf(
    'Not scored',
    notScoredReasons(source),
    [
      field('word', 'Reason', 'reason', ({ reason }) => reason),
      field('text', 'Message', 'message', ({ message }) => message),
      field('number', 'Runs', 'runs', ({ runs }) => runs),
    ],
    { row: () => ({ important: true }) },
  );
