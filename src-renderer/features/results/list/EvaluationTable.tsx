import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { derivedText } from '../../../../src-shared/display/originTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { OutcomeLegend } from '../../../ui/outcome/OutcomeLegend.tsx';
import { TaskOutcomeLegend } from '../../../ui/outcome/TaskOutcome.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { useActions } from '../useActions.ts';
import {
  DeleteButton,
  DerivedToggle,
  ListedBadges,
  ListedBar,
  ResumeButton,
} from './EvaluationParts.tsx';
import list from './list.module.css';
import { type Listed, listedFacts, type ListedGroup, listedGroups } from './listed.ts';

interface Row {
  one: Listed;
  /** The group that it leads or belongs to: groups stay together in every order. */
  group: ListedGroup;
  isOpen: boolean;
}

interface EvaluationTableProps {
  evaluations: readonly Evaluation[];
  tasks?: readonly TaskEvaluation[];
}

const noTasks: readonly TaskEvaluation[] = [];

/**
 * Evaluations of cases and of tasks with their outcomes; derived ones are folded below what they
 * started from.
 */
export function EvaluationTable({ evaluations, tasks = noTasks }: EvaluationTableProps) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { mutate: removeCases } = useActions('case').remove;
  const { mutate: removeTasks } = useActions('task').remove;
  const groups = useMemo(() => listedGroups(evaluations, tasks), [evaluations, tasks]);
  const columns = useMemo(
    () =>
      columnsOf(
        ({ unit, evaluation: { id } }) => {
          if (unit === 'task') removeTasks(id);
          else removeCases(id);
        },
        (id) => {
          setOpen((before) => {
            const next = new Set(before);
            if (!next.delete(id)) next.add(id);
            return next;
          });
        },
      ),
    [removeCases, removeTasks],
  );
  const wanted = search.trim().toLowerCase();
  const matches = (one: Listed): boolean =>
    `#${one.evaluation.number} ${one.evaluation.suiteName} ${listedFacts(one).models}${one.unit === 'task' ? ' tasks' : ''}`
      .toLowerCase()
      .includes(wanted);
  const rows = groups.flatMap((group): Row[] => {
    const derived = group.derived.map((evaluation): Listed => ({ unit: 'case', evaluation }));
    const found = derived.filter(matches);
    if (!matches(group.lead) && found.length === 0) return [];
    // A search opens the groups in which only a derived evaluation matches.
    const isOpen = open.has(group.lead.evaluation.id) || !matches(group.lead);
    return [group.lead, ...(isOpen ? found : [])].map((one) => ({ one, group, isOpen }));
  });
  return (
    <DataTable
      label="Evaluations"
      columns={columns}
      rows={rows}
      rowKey={({ one }) => one.evaluation.id}
      onOpen={({ one }) => {
        void navigate(listedFacts(one).to);
      }}
      rowHeight={52}
      toolbar={
        <>
          <SearchField label="Search evaluations" value={search} onChange={setSearch} />
          <span className={classes.total}>{counted(rows.filter(leads).length, 'evaluation')}</span>
          <Legends rows={rows} />
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

/** What the colors mean; a name before each legend where the list has both kinds. */
function Legends({ rows }: { rows: readonly Row[] }) {
  const cases = rows.flatMap(({ one }) => (one.unit === 'case' ? [one.evaluation.outcomes] : []));
  const tasks = rows.flatMap(({ one }) => (one.unit === 'task' ? [one.evaluation.outcomes] : []));
  if (tasks.length === 0) return <OutcomeLegend bars={cases} />;
  return (
    <div className={list.legends}>
      {cases.length > 0 && (
        <>
          <span>Cases:</span>
          <OutcomeLegend bars={cases} />
        </>
      )}
      <span>Tasks:</span>
      <TaskOutcomeLegend bars={tasks} />
    </div>
  );
}

const leads = ({ one, group }: Row): boolean => one.evaluation === group.lead.evaluation;

function columnsOf(remove: (one: Listed) => void, toggle: (id: string) => void): Column<Row>[] {
  return [
    {
      id: 'number',
      header: 'No.',
      width: 56,
      cell: (row) => (
        <span className={`ts-number ${leads(row) ? '' : list.below}`}>
          #{row.one.evaluation.number}
        </span>
      ),
      sortValue: ({ group }) => group.lead.evaluation.number,
    },
    {
      id: 'suite',
      header: 'Suite and model',
      width: 'minmax(190px, 1.5fr)',
      cell: (row) => <SuiteCell row={row} toggle={toggle} />,
      sortValue: ({ group }) => group.lead.evaluation.suiteName,
    },
    {
      id: 'outcomes',
      header: 'Outcomes',
      width: 'minmax(96px, 1.1fr)',
      cell: ({ one }) => (
        <div className={list.bar}>
          <ListedBar one={one} />
        </div>
      ),
    },
    {
      id: 'passed',
      header: 'Passed',
      width: 150,
      align: 'right',
      cell: ({ one }) => <span className="ts-number">{listedFacts(one).result}</span>,
      sortValue: ({ group }) => listedFacts(group.lead).passed,
    },
    {
      id: 'passRate',
      header: 'Pass rate',
      width: 88,
      align: 'right',
      cell: ({ one }) => <span className={`ts-number ${list.rate}`}>{listedFacts(one).rate}</span>,
    },
    {
      id: 'when',
      header: 'When',
      width: 116,
      cell: ({ one }) =>
        listedFacts(one).resumable ? (
          <ResumeButton {...one} />
        ) : (
          <Time iso={one.evaluation.createdAt} focusable={false} />
        ),
      sortValue: ({ group }) => group.lead.evaluation.createdAt,
    },
    {
      id: 'delete',
      header: 'Delete',
      width: 72,
      align: 'center',
      cell: ({ one }) => (
        <DeleteButton
          number={one.evaluation.number}
          onDelete={() => {
            remove(one);
          }}
        />
      ),
    },
  ];
}

function SuiteCell({ row, toggle }: { row: Row; toggle: (id: string) => void }) {
  const { one, group, isOpen } = row;
  return (
    <span className={`${list.suite} ${leads(row) ? '' : list.below}`}>
      <span className={list.name}>
        <Cut text={one.evaluation.suiteName} />
        <ListedBadges one={one} />
      </span>
      <span className={list.models}>
        <Cut text={listedFacts(one).models} />
        {leads(row) && group.derived.length > 0 && (
          <DerivedToggle
            text={derivedText(
              group.derived.flatMap(({ origin }) => (origin === null ? [] : [origin])),
            )}
            isOpen={isOpen}
            onToggle={() => {
              toggle(one.evaluation.id);
            }}
          />
        )}
      </span>
    </span>
  );
}
