import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';
import { nameModels } from '../modelNames.ts';

export interface SideChoice {
  value: string;
  label: string;
}

const pollMs = 700;

/**
 * Every evaluation, and each model of those with several, as choices. Refreshes while one of them
 * is running.
 */
export function useSides(): {
  choices: SideChoice[];
  evaluations: readonly Evaluation[];
  loading: boolean;
  error: unknown;
} {
  const { queries } = useApi();
  const list = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: 500 },
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => !hasEnded(state)) === true ? pollMs : false,
    }),
  );
  const choices = useMemo(() => (list.data ?? []).flatMap(choicesOf), [list.data]);
  return { choices, evaluations: list.data ?? [], loading: list.isPending, error: list.error };
}

function choicesOf(one: Evaluation): SideChoice[] {
  const names = nameModels(one.models);
  const kind =
    one.settings.whatIf === null
      ? ''
      : one.settings.whatIf.positions === null
        ? ', what-if'
        : ', one case again';
  const head = `#${one.number} ${one.suiteName}${kind}`;
  if (one.models.length === 1)
    return [{ value: one.id, label: `${head} · ${[...names.values()].join('')}` }];
  return one.models.map(({ id }) => ({
    value: `${one.id}/${id}`,
    label: `${head} · ${names.get(id) ?? ''}`,
  }));
}
