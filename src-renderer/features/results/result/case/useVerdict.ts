import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { useApi } from '../../../../api/index.ts';
import type { LiveEvaluation } from '../../live/foldEvents.ts';
import { liveVerdict } from '../../live/liveVerdict.ts';

/** The verdict of the page: folded from events while the evaluation runs, loaded afterwards. */
export function useVerdict(
  evaluation: Evaluation,
  model: string | null,
  live: LiveEvaluation | null,
): Verdict | null {
  const { queries } = useApi();
  const ended = hasEnded(evaluation.state);
  const stored = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: evaluation.id, modelSettingsId: model },
      enabled: ended,
    }),
  );
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
