import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { FlakyCase } from '../../../../src-shared/domain/analysis.ts';
import { useApi } from '../../../api/index.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Term } from '../../../ui/text/Term.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { formatCount, formatRate } from '../../../ui/estimate/format.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import { nameModels } from '../modelNames.ts';

/** What repetitions show: cases with different outcomes. */
export function RepetitionsTab({
  evaluation,
  model,
}: {
  evaluation: Evaluation;
  model: string | null;
}) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const analysis = useQuery(
    queries.results.analysis.queryOptions({ input: { id: evaluation.id, modelSettingsId: model } }),
  );
  const columns = flakyColumns(nameModels(evaluation.models), evaluation.models.length > 1);
  return (
    <Loaded query={analysis} blocks={[120, 260]} label="Loading the repetitions">
      {({ repetitions, passRates, flaky, flakyTotal, repeatedCases }) =>
        repetitions < 2 ? (
          <Text c="dimmed">
            Each case ran once. To see which cases are flaky, run the evaluation with repetitions.
          </Text>
        ) : (
          <>
            <Table withTableBorder verticalSpacing="xs" style={{ background: 'var(--ts-raised)' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th ta="right">k</Table.Th>
                  <Table.Th ta="right">
                    <Term name="passAtK">pass@k (at least once)</Term>
                  </Table.Th>
                  <Table.Th ta="right">
                    <Term name="passAllK">pass^k (every time)</Term>
                  </Table.Th>
                  <Table.Th ta="right">Cases</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {passRates.map((one) => (
                  <Table.Tr key={one.k}>
                    <Table.Td ta="right" className="ts-number">
                      {one.k}
                    </Table.Td>
                    <Table.Td ta="right" className="ts-number">
                      {formatRate(one.passAtK)}
                    </Table.Td>
                    <Table.Td ta="right" className="ts-number">
                      {formatRate(one.passAllK)}
                    </Table.Td>
                    <Table.Td ta="right" className="ts-number">
                      {formatCount(one.cases)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Section
              title={
                `Flaky cases (${formatCount(flakyTotal)} of ` +
                `${counted(repeatedCases, 'repeated case')})`
              }
            >
              <DataTable
                label="Flaky cases"
                columns={columns}
                rows={flaky}
                rowKey={(row) => row.runId}
                onOpen={(row) => {
                  void navigate(`/evaluations/${evaluation.id}/runs/${row.runId}`);
                }}
                maxHeight="max(220px, calc(100vh - 640px))"
                empty={<EmptyState message="No flaky cases." />}
              />
              {flakyTotal > flaky.length && (
                <Text size="xs" c="dimmed">
                  The {formatCount(flaky.length)} most evenly split ones are listed.
                </Text>
              )}
            </Section>
          </>
        )
      }
    </Loaded>
  );
}

function flakyColumns(models: ReadonlyMap<string, string>, several: boolean): Column<FlakyCase>[] {
  return [
    {
      id: 'name',
      header: 'Case',
      width: 'minmax(160px, 1fr)',
      sortValue: (row) => row.name,
      cell: (row) => <Cut text={row.name} />,
    },
    ...(several
      ? [
          {
            id: 'model',
            header: 'Model',
            width: 180,
            cell: (row: FlakyCase) => <Cut text={models.get(row.modelSettingsId) ?? ''} />,
          },
        ]
      : []),
    {
      id: 'right',
      header: 'Right',
      width: 110,
      align: 'right',
      sortValue: (row) => row.right / row.n,
      cell: (row) => (
        <span className="ts-number">
          {row.right} of {row.n}
        </span>
      ),
    },
  ];
}
