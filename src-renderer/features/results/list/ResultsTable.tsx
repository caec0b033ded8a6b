import { type ReactNode, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  column,
  type Column,
  SearchTable,
  type SearchTableProps,
} from '../../../ui/table/DataTable.tsx';
import { Action } from '../../../ui/fields/controls.tsx';
import type { ResultGroup } from '../../../../src-shared/contract/results.ts';
import { OutcomeLegend } from '../../../ui/outcome/outcomes.tsx';
import { Cut } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { useActions } from '../useActions.ts';
import {
  DeleteButton,
  DerivedToggle,
  ListedBadges,
  OutcomeBars,
  ResumeButton,
  SearchName,
} from './EvaluationParts.tsx';
import list from './list.module.css';
import { foldedText, type Listed, listedFacts } from './listed.ts';
import { Tooltip } from '@mantine/core';
import { comparisonLink } from '../compare/compareAddress.ts';

type Search = ResultGroup['searches'][number];

type Row = { key: string; group: ResultGroup; isOpen: boolean } & (
  { one: Listed; search: null } | { one: null; search: Search }
);

interface ResultsTableProps extends Pick<
  SearchTableProps<Row>,
  'sort' | 'onSort' | 'total' | 'onEndReached' | 'search' | 'onSearch' | 'filters' | 'onShowAll'
> {
  groups: readonly ResultGroup[];
}

/** Results with their outcomes; what repeats one is folded below it. */
export function ResultsTable({ groups, ...search }: ResultsTableProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const { mutate: removeCases } = useActions('case').remove;
  const { mutate: removeTasks } = useActions('task').remove;
  const columns = useMemo(
    () =>
      columnsOf(
        ({ unit, evaluation: { id } }) => {
          if (unit === 'task') removeTasks(id);
          else removeCases(id);
        },
        (id) =>
          setOpen((before) => {
            const next = new Set(before);
            if (!next.delete(id)) next.add(id);
            return next;
          }),
      ),
    [removeCases, removeTasks],
  );
  const rows = useMemo(() => groups.flatMap((group) => rowsOf(group, open)), [groups, open]);
  const shown = rows.flatMap(({ one }) => (one === null ? [] : [one]));
  return (
    <SearchTable
      noun={['result', 'results']}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      onOpen={({ one, search }) =>
        void navigate(one === null ? `/results/searches/${search.id}` : listedFacts(one).to)
      }
      {...search}
      sortedElsewhere
      marked={marked}
      onMark={setMarked}
      rowHeight={52}
      below={
        <>
          <MarkedActions results={shown.filter(({ evaluation }) => marked.has(evaluation.id))} />
          <Legends shown={shown} />
        </>
      }
    />
  );
}

function rowsOf(group: ResultGroup, open: ReadonlySet<string>): Row[] {
  const { lead, derived, searches, derivedMatches } = group;
  const isOpen = derivedMatches || open.has(lead.evaluation.id);
  const result = (one: Listed): Row => ({
    ...{ key: one.evaluation.id, group, isOpen },
    ...{ one, search: null },
  });
  if (!isOpen) return [result(lead)];
  return [
    ...[lead, ...derived].map(result),
    ...searches.map((search): Row => ({
      ...{ key: `search ${search.id}`, group, isOpen },
      ...{ one: null, search },
    })),
  ];
}

/** What the colors mean; a name before each legend where the list has both units. */
function Legends({ shown }: { shown: readonly Listed[] }) {
  const cases = shown.flatMap((one) => (one.unit === 'case' ? [one.evaluation.outcomes] : []));
  const tasks = shown.flatMap((one) => (one.unit === 'task' ? [one.evaluation.outcomes] : []));
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
      <OutcomeLegend bars={tasks} />
    </div>
  );
}

const leads = ({ one, group }: Row): boolean => one === group.lead;

/** The core orders them, also those that are not loaded. */
const sortValue = (): null => null;

function columnsOf(remove: (one: Listed) => void, toggle: (id: string) => void): Column<Row>[] {
  const ofResult = (show: (one: Listed, row: Row) => ReactNode) => (row: Row) =>
    row.one && show(row.one, row);
  return [
    {
      id: 'number',
      sortValue,
      header: 'No.',
      width: 56,
      cell: ofResult((one, row) => (
        <span className={`ts-number ${leads(row) ? '' : list.below}`}>
          #{one.evaluation.number}
        </span>
      )),
    },
    column('suite', 'Suite and model', 'minmax(190px, 1.5fr)', { sortValue }, (row) => (
      <SuiteCell row={row} toggle={toggle} />
    )),
    {
      id: 'outcomes',
      header: 'Outcomes',
      width: 'minmax(96px, 1.1fr)',
      cell: ofResult((one) => (
        <div className={list.bar}>
          <OutcomeBars one={one} />
        </div>
      )),
    },
    {
      id: 'passed',
      header: 'Passed',
      width: 172,
      align: 'right',
      cell: ofResult((one) => <span className="ts-number">{listedFacts(one).result}</span>),
    },
    column(
      'passRate',
      'Pass rate',
      124,
      { sortValue, align: 'right' },
      ofResult((one) => <span className={`ts-number ${list.rate}`}>{listedFacts(one).rate}</span>),
    ),
    column('when', 'When', 116, { sortValue }, ({ one, search }) =>
      one !== null && listedFacts(one).resumable ? (
        <ResumeButton {...one} />
      ) : (
        <Time iso={(one?.evaluation ?? search)?.createdAt ?? ''} focusable={false} />
      ),
    ),
    {
      id: 'delete',
      header: 'Delete',
      width: 72,
      align: 'center',
      cell: ofResult((one) => (
        <DeleteButton number={one.evaluation.number} onDelete={() => remove(one)} />
      )),
    },
  ];
}

function SuiteCell({ row, toggle }: { row: Row; toggle: (id: string) => void }) {
  const { group, isOpen } = row;
  if (row.one === null)
    return (
      <span className={list.below}>
        <SearchName state={row.search.state} />
      </span>
    );
  const { one } = row;
  const text = foldedText(group);
  return (
    <span className={`${list.suite} ${leads(row) ? '' : list.below}`}>
      <span className={list.name}>
        <Cut text={one.evaluation.suiteName} />
        <ListedBadges one={one} />
      </span>
      <span className={list.models}>
        <Cut text={listedFacts(one).models} />
        {leads(row) && text !== '' && (
          <DerivedToggle text={text} isOpen={isOpen} onToggle={() => toggle(one.evaluation.id)} />
        )}
      </span>
    </span>
  );
}

/** What can be done with marked results: their numbers, and for two a comparison. */
function MarkedActions({ results }: { results: readonly Listed[] }) {
  if (results.length === 0) return null;
  const cases = results.filter(({ unit }) => unit === 'case');
  // The older result is the baseline, whatever the list is ordered by.
  const [newer, older, third] = results.toSorted(
    (a, b) => b.evaluation.number - a.evaluation.number,
  );
  const pair = newer && older && third === undefined && newer.unit === older.unit;
  return (
    <>
      {cases.length > 0 && (
        <Action
          label={`Numbers of ${
            cases.length === results.length
              ? counted(cases.length, 'result')
              : counted(cases.length, 'result of cases', 'results of cases')
          }`}
          to={`/results/numbers?${new URLSearchParams({ of: cases.map(({ evaluation: { id } }) => id).join(',') }).toString()}`}
          small
        />
      )}
      {pair ? (
        <Action
          label={`Compare #${older.evaluation.number} and #${newer.evaluation.number}`}
          to={comparisonLink(newer.evaluation.id, {
            id: older.evaluation.id,
            modelSettingsId: null,
          })}
          small
        />
      ) : (
        newer &&
        older &&
        third === undefined && (
          <Tooltip label="Cases are compared with cases, and tasks with tasks.">
            <Action label="Compare" data-disabled small />
          </Tooltip>
        )
      )}
    </>
  );
}
