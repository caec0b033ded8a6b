import { Chip, Group, MultiSelect } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { FilterChips } from '../../ui/fields/FilterChips.tsx';
import { SearchTable } from '../../ui/table/DataTable.tsx';
import { BulkEdit, type CaseChange } from './BulkEdit.tsx';
import { suiteColumns } from './suiteColumns.tsx';
import {
  filterRows,
  isChosen,
  type RowChoice,
  rowChoices,
  type SuiteRow,
  tagsOf,
} from './suiteRows.ts';

export type RowIds = Pick<SuiteRow, 'id' | 'unit'>[];

interface SuiteTableProps {
  rows: readonly SuiteRow[];
  /** The models whose last outcomes are shown, in the order of their columns. */
  models: readonly string[];
  choice: RowChoice;
  onChoice: (choice: RowChoice) => void;
  selected: string | null;
  onOpen: (row: SuiteRow) => void;
  onDelete: (rows: RowIds) => void;
  onEdit: (ids: string[], change: CaseChange) => void;
  onDuplicate: (rows: RowIds) => void;
  /** Keyed by case ID. */
  problems: ReadonlyMap<string, readonly CaseProblem[]>;
  knownServers: string[];
  maxHeight: string;
}

const choiceLabels: Readonly<Record<RowChoice, string>> = {
  all: 'All',
  failed: 'Failed',
  cases: 'Cases',
  tasks: 'Tasks',
};

/** The cases and tasks of a suite: what is asked, what is expected, and how it came out last. */
export function SuiteTable({ rows, problems, choice, ...props }: SuiteTableProps) {
  const { models, onChoice } = props;
  const [search, setSearch] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [oddOnly, setOddOnly] = useState(false);
  // The table may lag behind the search field, so that typing never waits for the table.
  const wanted = useDeferredValue(search);
  const knownTags = useMemo(() => tagsOf(rows), [rows]);
  const shown = useMemo(
    () =>
      filterRows(rows, { search: wanted, tags }).filter(
        (row) => isChosen(row, choice) && (!oddOnly || problems.has(row.id)),
      ),
    [rows, wanted, tags, choice, oddOnly, problems],
  );
  const columns = useMemo(() => suiteColumns({ rows, models, problems }), [rows, models, problems]);
  // Only visible rows stay marked, so that everything that would be deleted is in view.
  const inView = useMemo(() => shown.filter(({ id }) => marked.has(id)), [shown, marked]);
  const marks = useMemo(() => new Set(inView.map(({ id }) => id)), [inView]);
  const clear = (): void => {
    setSearch('');
    setTags([]);
    setOddOnly(false);
    onChoice('all');
  };
  return (
    <SearchTable
      noun={['case or task', 'cases and tasks']}
      columns={columns}
      rows={shown}
      count={
        shown.length === rows.length
          ? sizeOf(rows)
          : `${formatCount(shown.length)} of ${sizeOf(rows)}`
      }
      rowKey={({ id }) => id}
      onOpen={props.onOpen}
      selected={props.selected}
      marked={marks}
      onMark={setMarked}
      maxHeight={props.maxHeight}
      search={search}
      onSearch={setSearch}
      onShowAll={clear}
      filters={
        <>
          <RowChips rows={rows} choice={choice} onChoice={onChoice} />
          {knownTags.length > 0 && (
            <MultiSelect
              size="xs"
              w={tags.length > 1 ? 320 : 160}
              aria-label="Filter by tag"
              placeholder={tags.length === 0 ? 'All tags' : ''}
              data={knownTags}
              value={tags}
              onChange={setTags}
              searchable
              clearable
            />
          )}
          {problems.size > 0 && (
            <Chip size="xs" checked={oddOnly} onChange={setOddOnly}>
              {counted(problems.size, 'case')} with a problem
            </Chip>
          )}
        </>
      }
      below={
        inView.length > 0 && (
          <MarkedActions
            rows={inView}
            knownTags={knownTags}
            onUnmark={() => setMarked(new Set())}
            {...props}
          />
        )
      }
    />
  );
}

function RowChips(props: Pick<SuiteTableProps, 'rows' | 'choice' | 'onChoice'>): ReactNode {
  const { rows, choice, onChoice } = props;
  const counts = useMemo(
    () => new Map(rowChoices.map((one) => [one, rows.filter((row) => isChosen(row, one)).length])),
    [rows],
  );
  const both = (counts.get('cases') ?? 0) > 0 && (counts.get('tasks') ?? 0) > 0;
  const ran = rows.some(({ last }) => last.length > 0);
  const offered = rowChoices.filter(
    (one) => one === 'all' || one === choice || (one === 'failed' ? ran : both),
  );
  if (offered.length === 1) return null;
  return (
    <FilterChips
      label="Which cases and tasks"
      chips={offered.map((value) => ({
        value,
        label: choiceLabels[value],
        count: counts.get(value) ?? 0,
      }))}
      value={choice}
      onChange={onChoice}
    />
  );
}

const sizeOf = (rows: readonly Pick<SuiteRow, 'unit'>[]): string =>
  suiteSize({
    caseCount: rows.filter(({ unit }) => unit === 'case').length,
    taskCount: rows.filter(({ unit }) => unit === 'task').length,
  });

function MarkedActions(
  props: Pick<SuiteTableProps, 'knownServers' | 'onDelete' | 'onDuplicate' | 'onEdit'> & {
    rows: SuiteRow[];
    knownTags: string[];
    onUnmark: () => void;
  },
) {
  const { rows, knownTags, knownServers, onDelete, onDuplicate, onEdit, onUnmark } = props;
  const [editing, setEditing] = useState(false);
  return (
    <Group ml="auto" gap="sm">
      {rows.every(({ unit }) => unit === 'case') && (
        <Action label="Edit" small onClick={() => setEditing(true)} />
      )}
      <Action label="Duplicate" small onClick={() => onDuplicate(rows)} />
      <Action
        label={`Delete ${sizeOf(rows)}`}
        small
        variant="light"
        color="vermilion"
        icon={IconTrash}
        onClick={() => onDelete(rows)}
      />
      <Action
        label="Unmark"
        small
        variant="subtle"
        color="gray"
        c="var(--ts-ink-muted)"
        onClick={onUnmark}
      />
      {editing && (
        <BulkEdit
          count={rows.length}
          knownTags={knownTags}
          knownServers={knownServers}
          onApply={(change) => {
            setEditing(false);
            onEdit(
              rows.map(({ id }) => id),
              change,
            );
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </Group>
  );
}
