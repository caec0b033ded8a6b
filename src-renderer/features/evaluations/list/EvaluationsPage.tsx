import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTargetArrow, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { useApi } from '../../../api/index.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { percentDone } from '../../../ui/progress/progressWords.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { Counts } from '../Counts.tsx';
import { metricMeaning, stateWords } from '../evaluationWords.ts';
import { useDeleteEvaluation } from './useDeleteEvaluation.ts';

const pollMs = 1500;

export function EvaluationsPage() {
  const { queries } = useApi();
  const navigate = useNavigate();
  const list = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: 500 },
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => !hasEnded(state)) === true ? pollMs : false,
    }),
  );
  const create = (): void => {
    void navigate('/evaluations/new');
  };
  useShortcut('n', create, 'New evaluation');
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations' }]}
        title="Evaluations"
        subtitle="Whether a model picks the right tool with the right arguments, measured on a suite."
        actions={
          <>
            <Button component={Link} to="/evaluations/compare" variant="default">
              Compare
            </Button>
            <Button component={Link} to="/evaluations/trend" variant="default">
              Trend
            </Button>
            <Button component={Link} to="/evaluations/metrics" variant="default">
              Metrics
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              New evaluation
            </Button>
          </>
        }
      />
      <Loaded query={list} blocks={[32, 360]}>
        {(evaluations) =>
          evaluations.length === 0 ? (
            <EmptyState
              icon={<IconTargetArrow size={32} stroke={1.5} />}
              message="No evaluations yet. Choose a suite and a model to see which tools are found and which are confused."
              action={
                <Button component={Link} to="/evaluations/new">
                  New evaluation
                </Button>
              }
            />
          ) : (
            <EvaluationTable evaluations={evaluations} />
          )
        }
      </Loaded>
    </>
  );
}

function EvaluationTable({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const { mutate: remove } = useDeleteEvaluation();
  const wanted = search.trim().toLowerCase();
  const shown = evaluations.filter((one) =>
    `#${one.number} ${one.suiteName} ${one.models.map(modelLabel).join(' ')}`
      .toLowerCase()
      .includes(wanted),
  );
  const columns = useMemo(() => columnsOf(remove), [remove]);
  return (
    <DataTable
      label="Evaluations"
      columns={columns}
      rows={shown}
      rowKey={(one) => one.id}
      onOpen={(one) => {
        void navigate(`/evaluations/${one.id}`);
      }}
      rowHeight={40}
      toolbar={
        <>
          <SearchField label="Search evaluations" value={search} onChange={setSearch} />
          <span className={classes.total}>{counted(shown.length, 'evaluation')}</span>
        </>
      }
      empty={
        <EmptyState
          message={`No evaluation matches “${search}”.`}
          action={
            <Button
              variant="default"
              onClick={() => {
                setSearch('');
              }}
            >
              Show all
            </Button>
          }
        />
      }
    />
  );
}

function columnsOf(remove: (id: string) => void): Column<Evaluation>[] {
  return [
    {
      id: 'number',
      header: 'No.',
      width: 64,
      cell: (one) => <span className="ts-number">#{one.number}</span>,
      sortValue: (one) => one.number,
    },
    {
      id: 'suite',
      header: 'Suite',
      width: 'minmax(110px, 1.2fr)',
      cell: (one) => <Cut text={`${one.suiteName}${kindOf(one)}`} />,
      sortValue: (one) => one.suiteName,
    },
    {
      id: 'models',
      header: 'Models',
      width: 'minmax(150px, 1fr)',
      cell: (one) => <Cut text={one.models.map(modelLabel).join(', ')} />,
      sortValue: (one) => one.models.map(modelLabel).join(', '),
    },
    {
      id: 'state',
      header: 'State',
      width: 124,
      cell: (one) => <State evaluation={one} />,
      sortValue: (one) => stateWords[one.state].label,
    },
    {
      id: 'f1',
      header: 'F1',
      hint: metricMeaning.f1,
      width: 134,
      align: 'right',
      cell: (one) => <Score evaluation={one} />,
    },
    {
      id: 'counts',
      header: 'Runs',
      width: 256,
      cell: (one) => <Counts counts={one.counts} />,
      sortValue: (one) => one.counts.total,
    },
    {
      id: 'when',
      header: 'When',
      width: 120,
      cell: (one) => <Time iso={one.createdAt} focusable={false} />,
      sortValue: (one) => one.createdAt,
    },
    {
      id: 'acts',
      header: 'Delete',
      width: 76,
      align: 'center',
      cell: (one) => (
        <Tooltip label={`Delete #${one.number}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete evaluation ${one.number}`}
            onClick={(event) => {
              event.stopPropagation();
              remove(one.id);
            }}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}

/** What a derived evaluation repeats; null for an original one. */
function kindOf({ settings: { whatIf } }: Evaluation): string {
  if (whatIf === null) return '';
  return whatIf.positions === null ? ' · what-if' : ' · one case again';
}

function State({ evaluation }: { evaluation: Evaluation }) {
  const { total, open } = evaluation.counts;
  const words = stateWords[evaluation.state];
  const percent =
    evaluation.state === 'running' ? percentDone({ done: total - open, total }) : null;
  const label = percent === null ? words.label : `${words.label} ${percent} %`;
  return <StatusBadge tone={words.tone} label={label} />;
}

/**
 * Loaded row by row as rows become visible. The numbers of an ended evaluation don't change, so
 * they are loaded once.
 */
function Score({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const summary = useQuery(
    queries.evaluations.summary.queryOptions({
      input: { id: evaluation.id },
      enabled: hasEnded(evaluation.state),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  if (summary.isError)
    return (
      <span title="The numbers could not be read; open the evaluation to try again.">not read</span>
    );
  // A dash would mean that there will never be a number, so nothing is shown while it runs or
  // loads.
  if (summary.data === undefined) {
    return (
      <Skeleton
        height={12}
        width={104}
        animate={hasEnded(evaluation.state)}
        role="img"
        aria-label={hasEnded(evaluation.state) ? 'being computed' : 'told when it has ended'}
      />
    );
  }
  return <EstimateText estimate={summary.data.metrics.selectionF1} />;
}
