import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { LintToolScore } from '../../../../src-shared/domain/lint.ts';
import { formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { useApi } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';

const shownTools = 10;
const columns: Column<LintToolScore>[] = [
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(150px, 1fr)',
    cell: ({ toolId }) => <Cut text={splitToolId(toolId).tool} mono />,
    sortValue: ({ toolId }) => toolId,
  },
  {
    id: 'score',
    header: 'Score',
    hint: '10 minus the points that findings cost; at least 1.',
    width: 90,
    align: 'right',
    cell: ({ score }) => formatDecimal(score, 0),
    sortValue: ({ score }) => score,
  },
  {
    id: 'fix',
    header: 'What to fix first',
    width: 'minmax(240px, 3fr)',
    cell: ({ deductions: [first] }) => <Cut text={first?.fix ?? ''} />,
  },
];

/** The quality score of one server and its worst tools, on the page of the server. */
export function ServerQuality({ server }: { server: string }) {
  const { queries } = useApi();
  const report = useQuery(
    queries.similarity.lint.queryOptions({ input: { input: { serverList: [server] }, off: [] } }),
  );
  return (
    <Loaded query={report} blocks={[32, 320]}>
      {({ tools, servers: [own] }) => {
        const worst = tools.filter(({ deductions }) => deductions.length > 0);
        return (
          <Section
            title={
              own === undefined
                ? 'No tools to score'
                : `Quality score ${formatDecimal(own.score, 1)} of 10`
            }
            aside={
              <Button
                component={Link}
                to={`/tools/quality?server=${encodeURIComponent(server)}`}
                size="compact-sm"
                variant="default"
              >
                All findings in Tools
              </Button>
            }
          >
            <DataTable
              label="Lowest scores"
              columns={columns}
              rows={worst.slice(0, shownTools)}
              rowKey={({ toolId }) => toolId}
              empty={<EmptyState message="No rule finds anything in these tools." />}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
