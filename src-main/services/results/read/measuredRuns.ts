import type { CallDifference } from '../../../../src-shared/domain/callDifference.ts';
import type { RunFilter, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import type { ArgumentsMode } from '../../../../src-shared/domain/testCase.ts';
import { remember } from '../../../runtime/remember.ts';
import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { RunMeasures } from '../../../store/runs/runMeasures.ts';
import type { Store } from '../../../store/store.ts';
import { questionHash } from '../../evaluations/read/questionOf.ts';
import { runDifferences } from '../../evaluations/read/runDifferences.ts';
import type { EvaluationReader } from './evaluationReader.ts';

/**
 * A run as reports list it, with the hash of its case's query and expectation, the mode that decided
 * its arguments, and what is wrong with its calls.
 */
export type MeasuredRun = RunRow &
  RunMeasures & { caseHash: string; argumentsMode: ArgumentsMode; differences: CallDifference[] };

/**
 * So many runs are read at once. They are garbage before V8 moves them out of its nursery, which
 * larger slices would outlive.
 */
const sliceLength = 100;

/**
 * The runs of an evaluation in the order of the suite. Only their row ids are read in a worker where
 * there are many: the runs themselves are read in slices while they are written, in turns of the
 * event loop, so that memory does not grow with the evaluation.
 */
export async function* measuredRuns(
  { store, reader }: { store: Store; reader: EvaluationReader },
  evaluation: EvaluationRow,
  filter: RunFilter,
  signal: AbortSignal,
): AsyncGenerator<MeasuredRun> {
  const rowids = await reader.read(evaluation, {
    ...{ kind: 'order', evaluationId: evaluation.id, filter },
    ...{ sort: 'position', descending: false },
  });
  const yieldIfDue = createYielder();
  for (let from = 0; from < rowids.length; from += sliceLength) {
    signal.throwIfAborted();
    yield* measured(store, evaluation, rowids.subarray(from, from + sliceLength));
    await yieldIfDue();
  }
}

function* measured(
  store: Store,
  { settings }: EvaluationRow,
  rowids: Float64Array,
): Generator<MeasuredRun> {
  const rows = store.runQueries.rows(rowids);
  const measures = store.runMeasures.of(rows.map(({ runId }) => runId));
  // Runs share their case with repetitions and with other models.
  const readCase = remember((contentHash: string) => {
    const content = store.resultQueries.caseContent(contentHash);
    if (content === null) throw new Error(`The case ${contentHash} is gone.`);
    return { content, caseHash: questionHash(content) };
  });
  for (const row of rows) {
    const own = measures.get(row.runId);
    if (own === undefined) continue;
    const { content, caseHash } = readCase(own.contentHash);
    yield {
      ...row,
      ...own,
      caseHash,
      argumentsMode: content.argumentsMode ?? settings.argumentsMode,
      differences: runDifferences(store, row, () => content),
    };
  }
}
