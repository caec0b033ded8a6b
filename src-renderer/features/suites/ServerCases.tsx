import { Button } from '@mantine/core';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { IconListCheck } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { formatPercent } from '../../../src-shared/display/numbers.ts';
import type { ServerCases as Cases } from '../../../src-shared/domain/toolCases.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { DataTable, type Column } from '../../ui/table/DataTable.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { counted } from '../../ui/text/words.ts';
import { showDone, showFailure } from '../../ui/notices/UndoNotice.tsx';

type Row = Cases['tools'][number];

const columns: Column<Row>[] = [
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(160px, 2fr)',
    cell: ({ name }) => <Cut text={name} mono />,
    sortValue: ({ name }) => name,
  },
  {
    id: 'cases',
    header: 'Cases',
    hint: 'Cases of all suites that expect this tool.',
    width: 130,
    align: 'right',
    cell: ({ cases }) => (cases === 0 ? 'No case' : String(cases)),
    sortValue: ({ cases }) => cases,
  },
  {
    id: 'passed',
    header: 'Passed',
    hint: 'Runs of the latest evaluation that expected this tool.',
    width: 190,
    align: 'right',
    cell: ({ passed, scored }) =>
      scored === 0 ? '–' : `${formatPercent(passed / scored)} (${passed} of ${scored})`,
    sortValue: ({ passed, scored }) => (scored === 0 ? null : passed / scored),
  },
];

interface ServerCasesProps {
  server: string;
  /** The names of its tools; also those without a case are listed. */
  tools: readonly string[];
}

/** Which tools of one server have cases, and how many passed, on the page of the server. */
export function ServerCases({ server, tools }: ServerCasesProps) {
  const { queries } = useApi();
  const cases = useQuery(queries.results.serverCases.queryOptions({ input: { server } }));
  const suites = useQuery(queries.suites.list.queryOptions());
  if (tools.length === 0)
    return (
      <EmptyState
        icon={<IconListCheck size={32} stroke={1.5} />}
        message="Cases per tool appear here once the server has listed its tools."
      />
    );
  return (
    <Loaded query={cases} blocks={[32, 320]}>
      {(found) => {
        const rows = rowsOf(tools, found);
        const without = rows.filter((row) => row.cases === 0).length;
        return (
          <Section
            title={
              without === 0
                ? 'Every tool has a case'
                : `${counted(without, 'tool')} of ${rows.length} without a case`
            }
            aside={
              <span style={{ display: 'flex', gap: 8 }}>
                {found.evaluation !== null && (
                  <Button
                    component={Link}
                    to={`/results/${found.evaluation.id}`}
                    size="compact-sm"
                    variant="default"
                  >
                    Open evaluation #{found.evaluation.number}
                  </Button>
                )}
                <ProposeButton server={server} suites={suites.data} />
              </span>
            }
          >
            <DataTable label="Cases per tool" columns={columns} rows={rows} rowKey={rowKey} />
          </Section>
        );
      }}
    </Loaded>
  );
}

/** Opens proposals for the tools of the server, in a suite of it or in a new one. */
function ProposeButton({ server, suites }: { server: string; suites: Suite[] | undefined }) {
  const { propose, pending } = useProposeFor(server);
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={pending}
      disabled={suites === undefined}
      onClick={() => {
        propose(suites ?? []);
      }}
    >
      Propose cases
    </Button>
  );
}

const rowKey = ({ name }: Row): string => name;

/** One row per tool, those without a case first. */
function rowsOf(tools: readonly string[], { tools: found }: Cases): Row[] {
  const known = new Map(found.map((row) => [row.name, row]));
  return tools
    .map((name) => known.get(name) ?? { name, cases: 0, scored: 0, passed: 0 })
    .sort((a, b) => a.cases - b.cases);
}

/**
 * Opens proposals for all tools of a server: in the suite that has it alone, else in one that has it
 * among others, else in a new suite of its name.
 */
function useProposeFor(server: string): {
  propose: (suites: readonly Suite[]) => void;
  pending: boolean;
} {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: async (suites: readonly Suite[]) => {
      const found = suiteOf(server, suites);
      if (found !== null) return found;
      const name = freeName(server, new Set(suites.map((suite) => suite.name)));
      const created = await client.suites.create({ name, servers: [server] });
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Created suite “${created.name}”.`);
      return created;
    },
    onSuccess: ({ id }) =>
      navigate(`/suites/${id}/propose?${new URLSearchParams({ server }).toString()}`),
    onError: showFailure,
  });
  return { propose: open.mutate, pending: open.isPending };
}

function suiteOf(server: string, suites: readonly Suite[]): Suite | null {
  const own = suites.filter(({ servers }) => servers.includes(server));
  return own.find(({ servers }) => servers.length === 1) ?? own[0] ?? null;
}

/** The name, with a number if another suite has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
