import { useMemo } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { toolId } from '../../../../../src-shared/domain/labels.ts';
import type { ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { useRead } from '../../../../api/index.ts';
import { emptyLiveEvaluation, type LiveEvaluation } from '../../live/foldEvents.ts';
import { liveNumbers, type ResultNumbers, summaryNumbers } from '../../live/liveNumbers.ts';
import { liveVerdict } from '../../live/liveVerdict.ts';
import { useLive } from '../../live/useLive.ts';

/**
 * With more tools than this, the matrix only has those that were expected or called, like the
 * stored summary.
 */
const everyToolUpTo = 100;

function labelsOf(snapshot: ToolSnapshot | null | undefined): string[] {
  const tools = snapshot?.tools ?? [];
  return tools.length > everyToolUpTo ? [] : tools.map(({ server, name }) => toolId(server, name));
}

/**
 * The numbers of the page: folded from events while it runs, loaded once it has ended. The switch
 * doesn't move anything on the page.
 */
export function useResultNumbers(evaluation: Evaluation, model: string | null) {
  const ended = hasEnded(evaluation.state);
  const { live, error } = useLive('case', evaluation.id, !ended);
  const summary = useRead((ask) => ask.evaluations.summary, {
    input: { id: evaluation.id, modelSettingsId: model },
    enabled: ended,
  });
  const snapshotId = live?.snapshotId ?? evaluation.snapshotId;
  const snapshot = useRead((ask) => ask.evaluations.snapshot, {
    input: { id: evaluation.id },
    enabled: snapshotId !== null,
  });
  const tools = useMemo(() => labelsOf(snapshot.data), [snapshot.data]);
  const models = evaluation.models.length;
  const numbers = useMemo((): ResultNumbers => {
    if (ended && summary.data !== undefined) return summaryNumbers(summary.data);
    return liveNumbers(
      live ?? emptyLiveEvaluation,
      model === null ? null : { id: model, of: models },
      tools,
    );
  }, [ended, summary.data, live, model, models, tools]);
  const loading = ended && summary.data === undefined && live === null;
  // An evaluation whose servers all failed ends without a snapshot, so there is nothing to wait
  // for. Otherwise the frozen tools are its rows and columns from the first run on, so it doesn't
  // grow.
  const waiting = !ended && (snapshotId === null || snapshot.isPending);
  return { numbers, live, snapshot, summary, loading, waiting, error };
}

export type ResultData = ReturnType<typeof useResultNumbers>;

/** The numbers of one model, for what never adds up models; null: of all, as there is only one. */
export function useModelNumbers(
  evaluation: Evaluation,
  { live, snapshot }: Pick<ResultData, 'live' | 'snapshot'>,
  model: string | null,
): ResultNumbers {
  const summary = useRead((ask) => ask.evaluations.summary, {
    input: { id: evaluation.id, modelSettingsId: model },
    enabled: hasEnded(evaluation.state),
  });
  const tools = useMemo(() => labelsOf(snapshot.data), [snapshot.data]);
  const of = evaluation.models.length;
  return useMemo(
    () =>
      summary.data === undefined
        ? liveNumbers(live ?? emptyLiveEvaluation, model === null ? null : { id: model, of }, tools)
        : summaryNumbers(summary.data),
    [summary.data, live, model, of, tools],
  );
}

/** The verdict of the page: folded from events while the evaluation runs, loaded afterwards. */
export function useVerdict(
  evaluation: Evaluation,
  model: string | null,
  live: LiveEvaluation | null,
): Verdict | null {
  const ended = hasEnded(evaluation.state);
  const stored = useRead((ask) => ask.results.verdict, {
    input: { id: evaluation.id, modelSettingsId: model },
    enabled: ended,
  });
  const { models, settings } = evaluation;
  const folded = useMemo(
    () =>
      live === null
        ? null
        : liveVerdict(live, {
            model,
            models: models.map(({ id }) => id),
            repetitions: settings.repetitions,
          }),
    [live, model, models, settings.repetitions],
  );
  return stored.data ?? folded;
}
