import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { failureLine, modeTexts, scoredTasks } from '../../../../src-shared/display/taskTexts.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { stateWords } from '../evaluationWords.ts';
import { taskEvaluationLink } from './taskLinks.ts';

const pollMs = 1500;

/** Evaluations of whole tasks, the last first; nothing where there are none. */
export function TaskEvaluations() {
  const { queries } = useApi();
  const navigate = useNavigate();
  const list = useQuery(
    queries.taskEvaluations.list.queryOptions({
      input: { limit: 500 },
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => !hasEnded(state)) === true ? pollMs : false,
    }),
  );
  if (list.data === undefined)
    return list.error === null ? null : (
      <ErrorNotice
        error={list.error}
        onRetry={() => {
          void list.refetch();
        }}
      />
    );
  if (list.data.length === 0) return null;
  return (
    <Section title="Task evaluations">
      <DataTable
        label="Task evaluations"
        columns={columns}
        rows={list.data}
        rowKey={({ id }) => id}
        onOpen={({ id }) => {
          void navigate(taskEvaluationLink(id));
        }}
        rowHeight={44}
        maxHeight="320px"
      />
    </Section>
  );
}

const columns: Column<TaskEvaluation>[] = [
  {
    id: 'number',
    header: 'No.',
    width: 56,
    cell: ({ number }) => <span className="ts-number">#{number}</span>,
    sortValue: ({ number }) => number,
  },
  {
    id: 'suite',
    header: 'Suite',
    width: 'minmax(130px, 1.2fr)',
    cell: ({ suiteName }) => <Cut text={suiteName} />,
    sortValue: ({ suiteName }) => suiteName,
  },
  {
    id: 'model',
    header: 'Model',
    width: 'minmax(110px, 1fr)',
    cell: ({ models }) => <Cut text={models.map(modelLabel).join(', ')} />,
  },
  {
    id: 'mode',
    header: 'Mode',
    width: 92,
    cell: ({ settings }) => modeTexts[settings.mode].label,
    sortValue: ({ settings }) => settings.mode,
  },
  {
    id: 'succeeded',
    header: 'Succeeded',
    width: 110,
    align: 'right',
    cell: ({ outcomes }) => (
      <span className="ts-number">
        {formatCount(outcomes.succeeded)} of {formatCount(scoredTasks(outcomes))}
      </span>
    ),
    sortValue: ({ outcomes }) => outcomes.succeeded,
  },
  {
    id: 'failures',
    header: 'Failures',
    width: 'minmax(120px, 1.2fr)',
    cell: ({ outcomes }) => <Cut text={failureLine(outcomes)} />,
  },
  {
    id: 'state',
    header: 'State',
    width: 116,
    cell: ({ state }) => <StatusBadge {...stateWords[state]} />,
  },
  {
    id: 'when',
    header: 'When',
    width: 116,
    cell: ({ createdAt }) => <Time iso={createdAt} focusable={false} />,
    sortValue: ({ createdAt }) => createdAt,
  },
];
