import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Evaluation, EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi, watchEvaluation } from '../../../api/index.ts';
import { foldEvents, type LiveEvaluation, emptyLiveEvaluation } from './foldEvents.ts';

/**
 * Events are collected for this long before the screen is drawn again. The numbers of tasks are not
 * folded from events but read again.
 */
const batchMs = { case: 120, task: 400 };

interface Live {
  live: LiveEvaluation | null;
  /** Why the events can't be followed. The previous numbers stay visible. */
  error: unknown;
}

/**
 * Follows an evaluation from its first event while it is active, so that a reload shows the same as
 * before.
 */
export function useLive(unit: EvaluationUnit, id: string, active: boolean): Live {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [state, setState] = useState<Live>({ live: null, error: null });

  useEffect(() => {
    if (!active) return;
    const abort = new AbortController();
    let folded = emptyLiveEvaluation;
    let gathered: (EvaluationEvent | TaskEvent)[] = [];
    let timer: number | undefined;
    const draw = (): void => {
      window.clearTimeout(timer);
      timer = undefined;
      folded = foldEvents(folded, gathered);
      gathered = [];
      setState({ live: folded, error: null });
      const { open, planned } = folded;
      if (unit === 'task') void cache.invalidateQueries({ queryKey: queries.evaluations.key() });
      // Lists and the status line, which poll, must show the same progress as the page.
      else if (planned > 0)
        cache.setQueriesData<Evaluation[]>({ queryKey: queries.evaluations.list.key() }, (list) =>
          list?.map((one) =>
            one.id === id && !hasEnded(one.state)
              ? { ...one, counts: { ...one.counts, open } }
              : one,
          ),
        );
    };
    const refresh = async (): Promise<void> => {
      if (unit === 'task') return;
      // Everything loaded during the run is outdated. The summary must not flash its old state.
      cache.removeQueries({ queryKey: queries.evaluations.summary.key({ input: { id } }) });
      await cache.invalidateQueries({ queryKey: queries.evaluations.key() });
    };
    const gather = (event: EvaluationEvent | TaskEvent): void => {
      gathered.push(event);
      timer ??= window.setTimeout(draw, batchMs[unit]);
    };
    watchEvaluation(client, { unit, id }, 0, gather, abort.signal)
      .then(async () => {
        if (abort.signal.aborted) return;
        draw();
        await refresh();
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setState({ live: folded, error });
      });
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [client, queries, cache, unit, id, active]);

  return state;
}
