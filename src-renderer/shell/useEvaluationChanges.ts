import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { hasEnded, type EvaluationState } from '../../src-shared/domain/evaluationState.ts';
import { useApi } from '../api/index.ts';

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
export function useEvaluationChanges(
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
