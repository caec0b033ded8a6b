import { useQueryClient } from '@tanstack/react-query';
import type { Evaluation } from '../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { TaskEvaluation } from '../../src-shared/domain/taskEvaluation.ts';
import { hasEnded, type EvaluationState } from '../../src-shared/domain/evaluationState.ts';
import { useApi, useRead } from '../api/index.ts';
import type { RunningWork } from '../ui/frame/StatusLine.tsx';
import { percentDone } from '../ui/progress/progressWords.ts';
import { useEffect, useRef } from 'react';
import { useAct } from '../ui/notices/useAct.ts';

const quickMs = 500;
const slowMs = 15_000;

/**
 * The newest running evaluation of cases or of tasks, for the status line. Polls often while one
 * runs and rarely otherwise, because the command line may start one.
 */
export function useRunningEvaluation(): RunningWork | null {
  const { client, queries, reread } = useApi();
  const list = useRead(queries.evaluations.list, {
    input: { limit: 20 },
    refetchInterval: (query) => (newestRunning(query.state.data) === null ? slowMs : quickMs),
  });
  const tasks = useRead(queries.evaluations.list, {
    input: { unit: 'task', limit: 20 },
    refetchInterval: (query) => (newestRunning(query.state.data) === null ? slowMs : quickMs),
  });
  useEvaluationChanges(list.data, tasks.data);
  const cancel = useAct(
    async ({ unit, id }: { unit: EvaluationUnit; id: string }) => {
      await client.evaluations.cancel({ unit, id });
    },
    { onSettled: () => reread(queries.evaluations) },
  );
  const ofCases = newestRunning(list.data);
  const ofTasks = newestRunning(tasks.data);
  const running = ofCases ?? ofTasks;
  if (running === null) return null;
  const { total, open } = ofCases?.counts ?? taskProgress(ofTasks);
  return {
    label: `#${running.number} ${running.suiteName}`,
    to: `/results/${running.id}`,
    percent: running.state === 'planned' ? null : percentDone({ done: total - open, total }),
    cancelling: cancel.isPending,
    onCancel: () => cancel.mutate({ unit: ofCases === null ? 'task' : 'case', id: running.id }),
  };
}

function taskProgress(evaluation: TaskEvaluation | null): { total: number; open: number } {
  const outcomes = Object.values(evaluation?.outcomes ?? {});
  return {
    total: outcomes.reduce((sum, count) => sum + count, 0),
    open: evaluation?.outcomes.not_run ?? 0,
  };
}

function newestRunning<One extends Pick<Evaluation, 'state'>>(
  list: readonly One[] | undefined,
): One | null {
  return list?.find((evaluation) => !hasEnded(evaluation.state)) ?? null;
}

interface Listed {
  id: string;
  state: EvaluationState;
}

/** Which evaluations there are, and how those that ended did. */
const stateOf = (list: readonly Listed[]): string =>
  list.map(({ id, state }) => `${id} ${hasEnded(state) ? state : 'open'}`).join('\n');

/**
 * Reads what pages show of evaluations again when one is added, resumed or deleted or ends, because
 * another program, such as the command line, tells no page.
 */
function useEvaluationChanges(
  cases: readonly Listed[] | undefined,
  tasks: readonly Listed[] | undefined,
): void {
  const { queries } = useApi();
  const cache = useQueryClient();
  const known = useRef<string | null>(null);
  const now = cases && tasks ? `${stateOf(cases)}\n\n${stateOf(tasks)}` : null;
  useEffect(() => {
    if (now === null || now === known.current) return;
    const isFirst = known.current === null;
    known.current = now;
    if (isFirst) return;
    for (const queryKey of [
      queries.evaluations.list.key(),
      queries.evaluations.get.key(),
      queries.evaluations.report.key(),
      queries.results.key(),
      queries.candidates.key(),
      queries.suites.list.key(),
      queries.tools.key(),
      queries.tokens.toolUse.key(),
    ])
      void cache.invalidateQueries({ queryKey });
  }, [now, cache, queries]);
}
