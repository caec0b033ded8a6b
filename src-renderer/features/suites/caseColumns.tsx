import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { firstCharacters } from '../../ui/text/visibleText.ts';
import { Tags } from '../../ui/badges/Tags.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { expectationText } from './caseForm.ts';

export const caseColumns: Column<TestCase>[] = [
  {
    id: 'position',
    header: '#',
    cell: (testCase) => testCase.position + 1,
    sortValue: (testCase) => testCase.position,
    width: 64,
    align: 'right',
  },
  {
    id: 'name',
    header: 'Case',
    cell: (testCase) => <Cut text={testCase.name} />,
    sortValue: (testCase) => testCase.name,
    width: 'minmax(150px, 2fr)',
  },
  {
    id: 'query',
    header: 'Query',
    cell: (testCase) => <Cut text={testCase.query} />,
    sortValue: (testCase) => testCase.query,
    width: 'minmax(160px, 3fr)',
  },
  {
    id: 'expected',
    header: 'Expected',
    cell: (testCase) =>
      testCase.expectedCalls.length === 0 ? (
        <Text size="sm" c="dimmed">
          no tool
        </Text>
      ) : (
        <Cut text={expectationText(testCase)} mono />
      ),
    sortValue: (testCase) => expectationText(testCase),
    width: 'minmax(140px, 2fr)',
  },
  {
    id: 'tags',
    header: 'Tags',
    cell: (testCase) => <Tags values={testCase.tags} />,
    sortValue: (testCase) => testCase.tags.join(', '),
    width: 'minmax(176px, 1.5fr)',
  },
  {
    id: 'updated',
    header: 'Changed',
    cell: (testCase) => <Time iso={testCase.updatedAt} focusable={false} />,
    sortValue: (testCase) => testCase.updatedAt,
    width: 120,
  },
];

/** The columns that identify a case, for the narrow table next to an open panel. */
export const narrowCaseColumns = caseColumns.filter((column) =>
  ['name', 'expected', 'tags'].includes(column.id),
);

/** The columns with a first one that marks cases with problems, if there are any. */
export function withProblems(
  columns: Column<TestCase>[],
  problems: ReadonlyMap<string, readonly CaseProblem[]>,
): Column<TestCase>[] {
  if (problems.size === 0) return columns;
  const column: Column<TestCase> = {
    id: 'problems',
    header: '!',
    hint:
      'Problems: unknown tools, parameters missing from the schema, ' + 'near-duplicate queries.',
    cell: (testCase) => {
      const found = problems.get(testCase.id);
      if (found === undefined) return null;
      const words = found.map(({ message }) => message).join(' ');
      return (
        <IconAlertTriangle
          size={16}
          color="var(--ts-warning-ink)"
          role="img"
          aria-label={firstCharacters(words, 400)}
          title={firstCharacters(words, 400)}
        />
      );
    },
    sortValue: (testCase) => -(problems.get(testCase.id)?.length ?? 0),
    width: 44,
    align: 'center',
  };
  return [column, ...columns];
}
