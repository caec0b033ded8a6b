import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import { failedLast, lastOutcomeTitle } from '../../../src-shared/display/lastOutcomeTexts.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { shortModelName } from '../../../src-shared/display/shortModelName.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { LastOutcome } from '../../../src-shared/domain/lastOutcomes.ts';
import { Tags } from '../../ui/badges/Tags.tsx';
import { OutcomeMark } from '../../ui/outcome/OutcomeMark.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { Cut, firstCharacters } from '../../ui/text/Foreign.tsx';
import type { SuiteRow } from './suiteRows.ts';

/** More models than these are in the panel above the table and in that of each case. */
const maxModels = 4;

interface SuiteColumnsOptions {
  rows: readonly SuiteRow[];
  models: readonly string[];
  problems: ReadonlyMap<string, readonly CaseProblem[]>;
}

/** A column only where it has something to say of a row. */
export function suiteColumns(props: SuiteColumnsOptions): Column<SuiteRow>[] {
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
      <OutcomeMark outcome={last.outcome} quiet label={title} />
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
