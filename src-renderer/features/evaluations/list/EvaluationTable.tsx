import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  isResumable,
  rateText,
  resultText,
} from '../../../../src-shared/display/evaluationTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { OutcomeBar } from '../../../ui/outcome/OutcomeBar.tsx';
import { OutcomeLegend } from '../../../ui/outcome/OutcomeLegend.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import {
  DeleteButton,
  DerivedToggle,
  OriginBadge,
  ResumeButton,
  SampleBadge,
} from './EvaluationParts.tsx';
import { type EvaluationGroup, foldDerived } from './foldDerived.ts';
import list from './list.module.css';
import { useDeleteEvaluation } from './useDeleteEvaluation.ts';

interface Row {
  evaluation: Evaluation;
  /** The group that it leads or belongs to: groups stay together in every order. */
  group: EvaluationGroup;
  isOpen: boolean;
}

/** All evaluations with their outcomes; derived ones are folded below what they started from. */
export function EvaluationTable({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { mutate: remove } = useDeleteEvaluation();
  const groups = useMemo(() => foldDerived(evaluations), [evaluations]);
  const columns = useMemo(
    () =>
      columnsOf(remove, (id) => {
        setOpen((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        });
      }),
    [remove],
  );
  const wanted = search.trim().toLowerCase();
  const matches = (one: Evaluation): boolean =>
    `#${one.number} ${one.suiteName} ${one.models.map(modelLabel).join(' ')}`
      .toLowerCase()
      .includes(wanted);
  const found = groups.filter(({ evaluation, derived }) => [evaluation, ...derived].some(matches));
  const rows = found.flatMap((group): Row[] => {
    // A search opens the groups in which only a derived evaluation matches.
    const isOpen = open.has(group.evaluation.id) || !matches(group.evaluation);
    return [group.evaluation, ...(isOpen ? group.derived.filter(matches) : [])].map(
      (evaluation) => ({ evaluation, group, isOpen }),
    );
  });
  return (
    <DataTable
      label="Evaluations"
      columns={columns}
      rows={rows}
      rowKey={({ evaluation }) => evaluation.id}
      onOpen={({ evaluation }) => {
        void navigate(`/evaluations/${evaluation.id}`);
      }}
      rowHeight={52}
      toolbar={
        <>
          <SearchField label="Search evaluations" value={search} onChange={setSearch} />
          <span className={classes.total}>{counted(found.length, 'evaluation')}</span>
          <OutcomeLegend bars={rows.map(({ evaluation }) => evaluation.outcomes)} />
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

const leads = ({ evaluation, group }: Row): boolean => evaluation === group.evaluation;

function columnsOf(remove: (id: string) => void, toggle: (id: string) => void): Column<Row>[] {
  return [
    {
      id: 'number',
      header: 'No.',
      width: 56,
      cell: (row) => (
        <span className={`ts-number ${leads(row) ? '' : list.below}`}>
          #{row.evaluation.number}
        </span>
      ),
      sortValue: ({ group }) => group.evaluation.number,
    },
    {
      id: 'suite',
      header: 'Suite and model',
      width: 'minmax(190px, 1.5fr)',
      cell: (row) => <SuiteCell row={row} toggle={toggle} />,
      sortValue: ({ group }) => group.evaluation.suiteName,
    },
    {
      id: 'outcomes',
      header: 'Outcomes',
      width: 'minmax(96px, 1.1fr)',
      cell: ({ evaluation }) => (
        <div className={list.bar}>
          <OutcomeBar thin counts={evaluation.outcomes} />
        </div>
      ),
    },
    {
      id: 'passed',
      header: 'Passed',
      width: 150,
      align: 'right',
      cell: ({ evaluation }) => <span className="ts-number">{resultText(evaluation)}</span>,
      sortValue: ({ group }) => group.evaluation.outcomes.passed,
    },
    {
      id: 'passRate',
      header: 'Pass rate',
      width: 88,
      align: 'right',
      cell: ({ evaluation }) => (
        <span className={`ts-number ${list.rate}`}>{rateText(evaluation)}</span>
      ),
    },
    {
      id: 'when',
      header: 'When',
      width: 116,
      cell: ({ evaluation }) =>
        isResumable(evaluation) ? (
          <ResumeButton evaluation={evaluation} />
        ) : (
          <Time iso={evaluation.createdAt} focusable={false} />
        ),
      sortValue: ({ group }) => group.evaluation.createdAt,
    },
    {
      id: 'delete',
      header: 'Delete',
      width: 72,
      align: 'center',
      cell: ({ evaluation }) => (
        <DeleteButton
          number={evaluation.number}
          onDelete={() => {
            remove(evaluation.id);
          }}
        />
      ),
    },
  ];
}

function SuiteCell({ row, toggle }: { row: Row; toggle: (id: string) => void }) {
  const { evaluation, group, isOpen } = row;
  return (
    <span className={`${list.suite} ${leads(row) ? '' : list.below}`}>
      <span className={list.name}>
        <Cut text={evaluation.suiteName} />
        <OriginBadge origin={evaluation.origin} />
        <SampleBadge id={evaluation.id} />
      </span>
      <span className={list.models}>
        <Cut text={evaluation.models.map(modelLabel).join(', ')} />
        {leads(row) && (
          <DerivedToggle
            derived={group.derived}
            isOpen={isOpen}
            onToggle={() => {
              toggle(evaluation.id);
            }}
          />
        )}
      </span>
    </span>
  );
}
