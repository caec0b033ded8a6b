import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TaskEvent } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi, watchTaskEvaluation } from '../../../api/index.ts';
import { foldTaskEvents, noLiveTasks, type LiveTasks } from './foldTaskEvents.ts';

export type { LiveTasks };

/** Events are collected for this long before the numbers are read again. */
const batchMs = 400;

interface Live {
  live: LiveTasks | null;
  /** Why the events can't be followed. */
  error: unknown;
}

/**
 * Follows a task evaluation from its first event while it is active. What was read of it is
 * outdated with every batch of events, so the pages that show it read it again.
 */
export function useLiveTasks(id: string | null, active: boolean): Live {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [state, setState] = useState<Live>({ live: null, error: null });

  useEffect(() => {
    if (!active || id === null) return;
    const abort = new AbortController();
    let folded = noLiveTasks;
    let gathered: TaskEvent[] = [];
    let timer: number | undefined;
    const draw = (): void => {
      window.clearTimeout(timer);
      timer = undefined;
      folded = foldTaskEvents(folded, gathered);
      gathered = [];
      setState({ live: folded, error: null });
      void cache.invalidateQueries({ queryKey: queries.evaluations.key() });
    };
    watchTaskEvaluation(
      client,
      id,
      (event) => {
        gathered.push(event);
        timer ??= window.setTimeout(draw, batchMs);
      },
      abort.signal,
    )
      .then(() => {
        if (!abort.signal.aborted) draw();
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
