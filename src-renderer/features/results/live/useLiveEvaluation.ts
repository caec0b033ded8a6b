import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Evaluation, EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi, watchEvaluation } from '../../../api/index.ts';
import { foldEvents, type LiveEvaluation, emptyLiveEvaluation } from './foldEvents.ts';

/** Events are collected for this long before the screen is drawn again. */
const batchMs = 120;

interface Live {
  live: LiveEvaluation | null;
  /** Why the events can't be followed. The previous numbers stay visible. */
  error: unknown;
}

/**
 * Follows an evaluation from its first event while it is active, so that a reload shows the same as
 * before.
 */
export function useLiveEvaluation(id: string, active: boolean): Live {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [state, setState] = useState<Live>({ live: null, error: null });

  useEffect(() => {
    if (!active) return;
    const abort = new AbortController();
    let folded = emptyLiveEvaluation;
    let gathered: EvaluationEvent[] = [];
    let timer: number | undefined;
    const draw = (): void => {
      window.clearTimeout(timer);
      timer = undefined;
      folded = foldEvents(folded, gathered);
      gathered = [];
      setState({ live: folded, error: null });
      // Lists and the status line, which poll, must show the same progress as the page.
      const { open, planned } = folded;
      if (planned === 0) return;
      cache.setQueriesData<Evaluation[]>({ queryKey: queries.evaluations.list.key() }, (list) =>
        list?.map((one) =>
          one.id === id && !hasEnded(one.state) ? { ...one, counts: { ...one.counts, open } } : one,
        ),
      );
    };
    const refresh = async (): Promise<void> => {
      // Everything loaded during the run is outdated. The summary must not flash its old state.
      cache.removeQueries({ queryKey: queries.evaluations.summary.key({ input: { id } }) });
      await cache.invalidateQueries({ queryKey: queries.evaluations.key() });
    };
    watchEvaluation(
      client,
      id,
      0,
      (event) => {
        gathered.push(event);
        timer ??= window.setTimeout(draw, batchMs);
      },
      abort.signal,
    )
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
  }, [client, queries, cache, id, active]);

  return state;
}
