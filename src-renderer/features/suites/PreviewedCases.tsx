import { Text } from '@mantine/core';
import type { ImportPreview } from '../../../src-shared/contract/suites.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { expectationText } from './caseForm.ts';
import { textColumn } from '../../ui/table/columns.tsx';

type PreviewedCase = ImportPreview['firstCases'][number];

/** The cases as they would be imported, to look through before confirming. */
export function PreviewedCases({ preview }: { preview: ImportPreview }) {
  const approximated = new Map<string, string>();
  for (const { case: key, what, why } of preview.report.approximated)
    approximated.set(key, `${approximated.get(key) ?? ''} ${what}: ${why}`.trim());
  const columns: Column<PreviewedCase>[] = [
    textColumn('query', 'Query', 'minmax(200px, 4fr)', (each) => each.query),
    {
      id: 'expected',
      header: 'Expected',
      cell: (each) =>
        each.expectedCalls.length === 0 ? (
          <p className="ts-quiet">no tool</p>
        ) : (
          <Cut text={expectationText(each)} mono />
        ),
      sortValue: (each) => expectationText(each),
      width: 'minmax(140px, 2fr)',
    },
    ...(approximated.size === 0
      ? []
      : [
          textColumn(
            'note',
            'Approximated',
            'minmax(140px, 2fr)',
            (each: PreviewedCase) => approximated.get(each.key) ?? '',
            { sorts: false },
          ),
        ]),
  ];
  return (
    <div>
      <DataTable
        label="Cases of the file"
        columns={columns}
        rows={preview.firstCases}
        rowKey={({ key }) => key}
        maxHeight="360px"
      />
      {preview.cases > preview.firstCases.length && (
        <Text size="sm" c="dimmed" mt={4}>
          And {counted(preview.cases - preview.firstCases.length, 'more case')}.
        </Text>
      )}
    </div>
  );
}
