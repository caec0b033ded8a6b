import { Chip, Group, MultiSelect, Text } from '@mantine/core';
import { signOfTask } from '../../../src-shared/display/taskTexts.ts';
import { IconTrash, IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { FilterChips } from '../../ui/fields/FilterChips.tsx';
import { SearchTable, type Column } from '../../ui/table/DataTable.tsx';
import { BulkEdit, type CaseChange } from './BulkEdit.tsx';
import {
  filterRows,
  isChosen,
  type RowChoice,
  rowChoices,
  type SuiteRow,
  tagsOf,
} from './suiteRows.ts';
import { failedLast, lastOutcomeTitle } from '../../../src-shared/display/lastOutcomeTexts.ts';
import { shortModelName } from '../../../src-shared/display/shortModelName.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { LastOutcome } from '../../../src-shared/domain/lastOutcomes.ts';
import { Tags } from '../../ui/badges/Tags.tsx';
import { OutcomeMark } from '../../ui/outcome/outcomes.tsx';
import { Cut, firstCharacters } from '../../ui/text/Foreign.tsx';

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
      count={shown.length === rows.length ? sizeOf(rows) : partOf(rows, shown.length)}
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

/** "8 of 56 cases and tasks"; where all are of one unit, "8 of 48 cases". */
const partOf = (rows: readonly Pick<SuiteRow, 'unit'>[], count: number): string =>
  `${formatCount(count)} of ` +
  (new Set(rows.map(({ unit }) => unit)).size > 1
    ? `${formatCount(rows.length)} cases and tasks`
    : sizeOf(rows));

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

/** More models than these are in the panel above the table and in that of each case. */
const maxModels = 4;

interface SuiteColumnsOptions {
  rows: readonly SuiteRow[];
  models: readonly string[];
  problems: ReadonlyMap<string, readonly CaseProblem[]>;
}

/** A column only where it has something to say of a row. */
function suiteColumns(props: SuiteColumnsOptions): Column<SuiteRow>[] {
  const { rows, models, problems } = props;
  const some = (has: (row: SuiteRow) => boolean): boolean => rows.some(has);
  const units = new Set(rows.map(({ unit }) => unit));
  return [
    ...(problems.size > 0 ? [problemColumn(problems)] : []),
    ...(units.size > 1 ? [kindColumn] : []),
    requestColumn,
    ...(some(({ expected }) => expected !== '') ? [expectedColumn] : []),
    ...(some((row) => row.arguments !== '') ? [argumentsColumn(units)] : []),
    ...(some(({ tags }) => tags.length > 0) ? [tagsColumn] : []),
    ...models.slice(0, maxModels).map((model, at) => modelColumn(model, models, at)),
  ];
}

const kindColumn: Column<SuiteRow> = {
  id: 'kind',
  header: 'Kind',
  width: 64,
  cell: ({ unit }) => <span className="ts-quiet">{unit}</span>,
  sortValue: ({ unit }) => unit,
};

const requestColumn: Column<SuiteRow> = {
  id: 'request',
  header: 'Request',
  width: 'minmax(180px, 3fr)',
  cell: ({ request, name }) => <Cut text={name === null ? request : `${request} · ${name}`} />,
  sortValue: ({ request }) => request,
};

const expectedColumn: Column<SuiteRow> = {
  id: 'expected',
  header: 'Expected call',
  width: 'minmax(130px, 2fr)',
  cell: ({ expected }) =>
    expected === 'no tool' || expected === '' ? (
      <span className="ts-quiet">{expected === '' ? '–' : expected}</span>
    ) : (
      <Cut text={expected} mono />
    ),
  sortValue: ({ expected }) => expected,
};

/** The arguments of cases and the checks of tasks, under the name of what there is. */
const argumentsColumn = (units: ReadonlySet<EvaluationUnit>): Column<SuiteRow> => ({
  id: 'arguments',
  header: !units.has('task') ? 'Arguments' : units.has('case') ? 'Arguments or checks' : 'Checks',
  width: 'minmax(120px, 2fr)',
  spare: 5,
  cell: (row) => (
    <Text size="sm" c="dimmed" component="span" miw={0}>
      <Cut
        text={units.size > 1 && row.unit === 'task' ? `checks: ${row.arguments}` : row.arguments}
      />
    </Text>
  ),
});

const tagsColumn: Column<SuiteRow> = {
  id: 'tags',
  header: 'Tags',
  width: 'minmax(110px, 1fr)',
  spare: 6,
  cell: ({ tags }) => <Tags values={[...tags]} />,
  sortValue: ({ tags }) => tags.join(', '),
};

function modelColumn(model: string, models: readonly string[], at: number): Column<SuiteRow> {
  const own = ({ last }: SuiteRow): LastOutcome | undefined =>
    last.find((each) => each.model === model);
  return {
    id: `model ${model}`,
    header: shortModelName(model, models),
    hint: `Last outcome with ${model}.`,
    width: 112,
    spare: at,
    align: 'center',
    cell: (row) => {
      const last = own(row);
      return last === undefined ? (
        <span className="ts-quiet">not run</span>
      ) : (
        <LastCell last={last} />
      );
    },
    sortValue: (row) => {
      const last = own(row);
      if (last === undefined || last.changed || last.scored === 0) return null;
      return failedLast(last) ? last.passed / last.scored : 1;
    },
  };
}

function LastCell({ last }: { last: LastOutcome }) {
  const title = `${lastOutcomeTitle(last)} in #${last.number}`;
  if (last.changed)
    return (
      <Text size="sm" c="dimmed" component="span" title={`Changed since #${last.number}`}>
        changed
      </Text>
    );
  return (
    <span title={title} className="ts-number">
      <OutcomeMark outcome={signOfTask(last.outcome)} quiet label={title} />
      {last.scored > 1 && ` ${formatCount(last.passed)}/${formatCount(last.scored)}`}
    </span>
  );
}

function problemColumn(problems: ReadonlyMap<string, readonly CaseProblem[]>): Column<SuiteRow> {
  return {
    id: 'problems',
    header: '!',
    hint: 'Problems: unknown tools, parameters missing from the schema, near-duplicate queries.',
    cell: ({ id }) => {
      const found = problems.get(id);
      if (found === undefined) return null;
      const words = firstCharacters(found.map(({ message }) => message).join(' '), 400);
      return (
        <IconAlertTriangle
          size={16}
          color="var(--ts-warning-ink)"
          role="img"
          aria-label={words}
          title={words}
        />
      );
    },
    sortValue: ({ id }) => -(problems.get(id)?.length ?? 0),
    width: 44,
    align: 'center',
  };
}
