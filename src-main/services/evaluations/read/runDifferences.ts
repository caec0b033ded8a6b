import { callDifferences } from '../../../../src-shared/display/callDifferences.ts';
import type { CallDifference } from '../../../../src-shared/domain/callDifference.ts';
import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { isFailure } from '../../../../src-shared/domain/outcome.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import type { Store } from '../../../store/store.ts';

/** What is wrong with the calls of a run; empty unless it is scored and failed, if that is known. */
export function runDifferences(
  store: Store,
  { runId, outcome }: Pick<RunRow, 'runId'> & Partial<RunRow>,
  readCase: () => CaseContent | null,
): CallDifference[] {
  if (outcome !== undefined && !isFailure(outcome)) return [];
  const content = readCase();
  const scored = content && store.results.get(runId);
  return content === null || scored === null
    ? []
    : callDifferences({ case: content, calls: store.runQueries.calls(runId), score: scored.score });
}
