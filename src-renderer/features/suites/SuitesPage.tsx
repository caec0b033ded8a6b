import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconListCheck, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { rateText, resultText } from '../../../src-shared/display/evaluationTexts.ts';
import { scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { Tags } from '../../ui/badges/Tags.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import { counted } from '../../ui/text/words.ts';
import { SuitePanel } from './SuitePanel.tsx';

/** The newest finished evaluation of each suite, by the id of the suite. */
function lastResults(evaluations: readonly Evaluation[]): ReadonlyMap<string, Evaluation> {
  const last = new Map<string, Evaluation>();
  for (const one of evaluations)
    if (one.suiteId !== null && !last.has(one.suiteId) && rateText(one) !== '')
      last.set(one.suiteId, one);
  return last;
}

const columnsOf = (last: ReadonlyMap<string, Evaluation>): Column<Suite>[] => [
  {
    id: 'name',
    header: 'Suite',
    cell: (suite) => (
      <Text size="sm" fw={500} component="span" miw={0}>
        <Cut text={suite.name} />
      </Text>
    ),
    sortValue: (suite) => suite.name,
    width: 'minmax(200px, 2fr)',
  },
  {
    id: 'cases',
    header: 'Cases',
    cell: (suite) => formatCount(suite.caseCount),
    sortValue: (suite) => suite.caseCount,
    width: 90,
    align: 'right',
  },
  {
    id: 'tasks',
    header: 'Tasks',
    cell: (suite) => (suite.taskCount === 0 ? '' : formatCount(suite.taskCount)),
    sortValue: (suite) => suite.taskCount,
    width: 80,
    align: 'right',
  },
  {
    id: 'result',
    header: 'Last result',
    hint: 'Pass rate of the newest finished evaluation.',
    cell: ({ id }) => <LastResult evaluation={last.get(id) ?? null} />,
    sortValue: ({ id }) => {
      const outcomes = last.get(id)?.outcomes;
      return outcomes === undefined ? null : outcomes.passed / scoredOf(outcomes);
    },
    width: 210,
  },
  {
    id: 'servers',
    header: 'Servers',
    cell: (suite) => <Tags values={suite.servers} />,
    sortValue: (suite) => suite.servers.join(', '),
    width: 'minmax(160px, 2fr)',
  },
  {
    id: 'updated',
    header: 'Changed',
    cell: (suite) => <Time iso={suite.updatedAt} focusable={false} />,
    sortValue: (suite) => suite.updatedAt,
    width: 150,
  },
];

function LastResult({ evaluation }: { evaluation: Evaluation | null }) {
  if (evaluation === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        Not run yet
      </Text>
    );
  return (
    <span className="ts-number">
      <b>{rateText(evaluation)}</b>{' '}
      <Text size="sm" c="dimmed" component="span">
        {resultText(evaluation)}
      </Text>
    </span>
  );
}

export function SuitesPage() {
  const { queries } = useApi();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const suites = useQuery(queries.suites.list.queryOptions());
  const evaluations = useQuery(
    queries.evaluations.list.queryOptions({ input: { limit: 500, limitOf: 'originals' } }),
  );
  const columns = useMemo(
    () => columnsOf(lastResults((evaluations.data ?? []).filter(({ origin }) => origin === null))),
    [evaluations.data],
  );
  const create = (): void => {
    setParams({ new: '' });
  };
  const close = (): void => {
    setParams({}, { replace: true });
  };
  const toImport = (): void => {
    void navigate('/suites/import');
  };
  const openSuite = (suite: Suite): void => {
    void navigate(`/suites/${suite.id}`);
  };
  useShortcut('n', create, 'New suite');
  const wanted = search.trim().toLowerCase();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites' }]}
        title="Suites"
        subtitle="Test cases: requests, and the tool calls that should answer them."
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
              onClick={toImport}
            >
              Import suite
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              New suite
            </Button>
          </>
        }
      />
      <WithPanel
        panel={
          params.has('new') ? <SuitePanel suite={null} onClose={close} onSaved={openSuite} /> : null
        }
      >
        <Loaded query={suites} blocks={[32, 240]}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                icon={<IconListCheck size={32} stroke={1.5} />}
                message="No suites yet. Import a suite file or create one."
                action={
                  <Button variant="default" onClick={toImport}>
                    Import suite
                  </Button>
                }
                second={
                  <Button variant="default" onClick={create}>
                    New suite
                  </Button>
                }
              />
            ) : (
              <DataTable
                label="Suites"
                columns={columns}
                rows={list.filter((suite) =>
                  `${suite.name} ${suite.servers.join(' ')}`.toLowerCase().includes(wanted),
                )}
                rowKey={(suite) => suite.id}
                onOpen={openSuite}
                rowHeight={40}
                toolbar={
                  <>
                    <SearchField label="Search suites" value={search} onChange={setSearch} />
                    <Text size="sm" c="dimmed">
                      {counted(list.length, 'suite')}
                    </Text>
                  </>
                }
                empty={
                  <EmptyState
                    message={`No suite matches “${search}”.`}
                    action={
                      <Button
                        variant="default"
                        onClick={() => {
                          setSearch('');
                        }}
                      >
                        Show all
                      </Button>
                    }
                  />
                }
              />
            )
          }
        </Loaded>
      </WithPanel>
    </>
  );
}
