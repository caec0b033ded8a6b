import { unscoredText } from '../../../../src-shared/display/judgementTexts.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import { failureOutcomes } from '../../../../src-shared/domain/outcome.ts';
import type { Alert } from '../report.ts';
import { blockingRuns, decisionAlerts, runAlert } from './blockingRuns.ts';
import { whatDiffers } from './evaluationRuns.ts';
import type { ReportSource } from './reportSource.ts';

/**
 * What fails the build as errors, in the order of importance: the decision, why runs have no score,
 * the regressed cases. Every other failed case is a notice.
 */
export async function* alertsOf(source: ReportSource): AsyncIterable<Alert> {
  const { judgement, unscored } = source;
  const { fails, unscoredBlocks, hasFailures } = blockingRuns(judgement);
  yield* decisionAlerts(judgement);
  for (const group of unscored)
    yield {
      level: judgement !== null && unscoredBlocks ? 'error' : 'notice',
      title: `Not scored: ${group.cases.slice(0, 5).join(', ')}`,
      message: unscoredText(group),
    };
  for (const isRed of hasFailures ? [true, false] : [false])
    for await (const run of source.runs({ outcome: [...failureOutcomes] }))
      if (fails(run) === isRed)
        yield runAlert(
          run.caseKey,
          outcomeTexts[run.outcome].label,
          `${whatDiffers(run)}\n${run.query}`,
          isRed,
        );
}
