import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ParameterTally } from '../../../../src-shared/domain/analysis.ts';
import { useApi } from '../../../api/index.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import classes from '../evaluations.module.css';

const count = (
  id: Exclude<keyof ParameterTally, 'toolId' | 'name' | 'accuracy'>,
  header: string,
  hint: string,
): Column<ParameterTally> => ({
  id,
  header,
  hint,
  width: 88,
  align: 'right',
  sortValue: (row) => row[id],
  cell: (row) => formatCount(row[id]),
});

const columns: Column<ParameterTally>[] = [
  {
    id: 'name',
    header: 'Parameter',
    width: 'minmax(150px, 1fr)',
    sortValue: (row) => `${row.name} ${row.toolId}`,
    cell: (row) => (
      <span className={classes.caseCell}>
        <Cut text={row.name} mono />
        <small>
          <Cut text={row.toolId} mono />
        </small>
      </span>
    ),
  },
  {
    id: 'accuracy',
    header: 'Matched',
    hint: 'Of the calls with an expected value, the share that has it.',
    width: 104,
    align: 'right',
    sortValue: (row) => row.accuracy.value,
    cell: (row) => <EstimateText estimate={row.accuracy} />,
  },
  count('n', 'Judged', 'Calls with an expected value.'),
  count('wrongValue', 'Wrong', 'A value other than the expected one.'),
  count('missing', 'Missing', 'Expected but not sent.'),
  count('unexpected', 'Unexpected', 'Sent although it should be absent.'),
  count('hallucinated', 'Invented', "Sent, but not in the tool's schema."),
];

/**
 * How each parameter was filled in correct calls: shows where a schema or a description misleads.
 */
export function ParametersTab({
  evaluationId,
  model,
}: {
  evaluationId: string;
  model: string | null;
}) {
  const { queries } = useApi();
  const analysis = useQuery(
    queries.results.analysis.queryOptions({ input: { id: evaluationId, modelSettingsId: model } }),
  );
  return (
    <Loaded query={analysis} blocks={[320]} label="Loading the parameters">
      {({ parameters }) => (
        <>
          <DataTable
            label="Parameters"
            rowHeight={46}
            columns={columns}
            rows={parameters}
            rowKey={(row) => `${row.toolId} ${row.name}`}
            maxHeight="max(300px, calc(100vh - 520px))"
            empty={
              <EmptyState message="No arguments to show: no correct call has expected arguments." />
            }
          />
          <Text size="xs" c="dimmed" mt="xs">
            Only calls of the right tool count.
          </Text>
        </>
      )}
    </Loaded>
  );
}
