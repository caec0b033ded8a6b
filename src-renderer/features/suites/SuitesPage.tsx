import { column, type Column, numberColumn, SearchTable } from '../../ui/table/DataTable.tsx';
import { Action } from '../../ui/fields/controls.tsx';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Text } from '@mantine/core';
import { IconListCheck, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import {
  passedByModel,
  rateText,
  resultText,
} from '../../../src-shared/display/evaluationTexts.ts';
import type { PassedRuns } from '../../../src-shared/display/modelRateTexts.ts';
import {
  succeededByModel,
  taskRateText,
  taskResultText,
} from '../../../src-shared/display/taskTexts.ts';
import { shortModelNames } from '../../../src-shared/display/shortModelName.ts';
import { suitesTitle } from '../../../src-shared/display/suiteTexts.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useRead, useSample } from '../../api/index.ts';
import { Cut } from '../../ui/text/Foreign.tsx';
import { EmptyState, Loaded } from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { WithPanel } from '../../ui/panels/panels.tsx';
import { Tags } from '../../ui/badges/Tags.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import { SuitePanel } from './SuitePanel.tsx';

/** A finished result of cases or tasks: "80%", "16 of 20 tasks". */
interface Last {
  /** Empty: nothing was scored. */
  rate: string;
  /** `34 and 21 of 48 cases · gpt-5-mini, qwen3:8b`. */
  text: string;
  /** Of the model that passes most; null: nothing was scored. */
  best: number | null;
}

const lastOf = (
  { models }: Pick<Evaluation, 'models'>,
  rate: string,
  text: string,
  scored: readonly PassedRuns[],
): Last => ({
  rate,
  text: `${text} · ${shortModelNames(models.map(modelLabel))}`,
  best: scored.length === 0 ? null : Math.max(...scored.map((one) => one.passed / one.scored)),
});

/** The newest scored result of each suite, else its newest, by the id of the suite. */
function lastResults<Result extends { suiteId: string | null }>(
  results: readonly Result[] | undefined,
  read: (result: Result) => Last,
): ReadonlyMap<string, Last> {
  const last = new Map<string, Last>();
  for (const one of results ?? []) {
    const shown = read(one);
    const known = one.suiteId === null ? undefined : last.get(one.suiteId);
    if (one.suiteId !== null && (known === undefined || (known.rate === '' && shown.rate !== '')))
      last.set(one.suiteId, shown);
  }
  return last;
}

const resultColumn = (
  unit: 'cases' | 'tasks',
  last: ReadonlyMap<string, Last>,
  countOf: (suite: Suite) => number,
): Column<Suite> => ({
  id: `${unit}-result`,
  header: `Last result of ${unit}`,
  hint: `Pass rate of the newest finished result of ${unit}. Cases and tasks, and models, are never added up.`,
  cell: (suite) => (countOf(suite) === 0 ? '' : <LastResult last={last.get(suite.id) ?? null} />),
  sortValue: ({ id }) => last.get(id)?.best ?? null,
  width: 'minmax(170px, 1.5fr)',
});

const countIfAny = (count: number | null) => (count === 0 ? '' : formatCount(count));

const columnsOf = (
  cases: ReadonlyMap<string, Last>,
  tasks: ReadonlyMap<string, Last>,
  hasTasks: boolean,
): Column<Suite>[] => [
  column('name', 'Suite', 'minmax(200px, 2fr)', { sortValue: (suite) => suite.name }, (suite) => (
    <Text size="sm" fw={500} component="span" miw={0}>
      <Cut text={suite.name} />
    </Text>
  )),
  numberColumn('cases', 'Cases', 90, ({ caseCount }) => caseCount, { spare: 2, text: countIfAny }),
  resultColumn('cases', cases, ({ caseCount }) => caseCount),
  ...(hasTasks
    ? [
        numberColumn('tasks', 'Tasks', 80, ({ taskCount }: Suite) => taskCount, {
          spare: 3,
          text: countIfAny,
        }),
        resultColumn('tasks', tasks, ({ taskCount }) => taskCount),
      ]
    : []),
  column(
    'servers',
    'Servers',
    'minmax(160px, 2fr)',
    { spare: 4, sortValue: (suite) => suite.servers.join(', ') },
    (suite) => <Tags values={suite.servers} />,
  ),
  column(
    'updated',
    'Changed',
    150,
    { spare: 5, sortValue: (suite) => suite.updatedAt },
    (suite) => <Time iso={suite.updatedAt} focusable={false} />,
  ),
];

function LastResult({ last }: { last: Last | null }) {
  if (last === null) return <span className="ts-quiet">Not run yet</span>;
  return (
    <span className="ts-number ts-cut">
      <b>{last.rate}</b> <br />
      <span className="ts-quiet">{last.text}</span>
    </span>
  );
}

/** What is expected of the tools: each suite with its last result. */
export function SuitesPage() {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const suites = useRead((ask) => ask.suites.list);
  const sample = useSample();
  const evaluations = useRead((ask) => ask.evaluations.list, {
    input: { limit: 500, limitOf: 'originals' },
  });
  const taskResults = useRead((ask) => ask.evaluations.list, {
    input: { unit: 'task', limit: 500 },
  });
  const columns = useMemo(
    () =>
      columnsOf(
        lastResults(
          evaluations.data?.filter(({ origin }) => origin === null),
          (one) => lastOf(one, rateText(one), resultText(one), passedByModel(one)),
        ),
        lastResults(
          taskResults.data?.filter(({ settings }) => settings.whatIf === null),
          (one) => lastOf(one, taskRateText(one), taskResultText(one), succeededByModel(one)),
        ),
        suites.data?.some(({ taskCount }) => taskCount > 0) === true,
      ),
    [evaluations.data, taskResults.data, suites.data],
  );
  const create = (): void => setParams({ new: '' });
  const close = (): void => setParams({}, { replace: true });
  const toImport = (): void => void navigate('/suites/import');
  const openSuite = (suite: Suite): void => void navigate(`/suites/${suite.id}`);
  useShortcut('n', create, 'New suite');
  const wanted = search.trim().toLowerCase();
  const all = suites.data ?? [];
  const shown = all.filter(({ name, servers }) =>
    `${name} ${servers.join(' ')}`.toLowerCase().includes(wanted),
  );
  const isEmpty = suites.data?.length === 0;
  const importSuite = <Action label="Import suite" icon={IconUpload} onClick={toImport} />;
  const newSuite = <Action label="New suite" filled icon={IconPlus} onClick={create} />;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites' }]}
        title={all.length === 0 || !sample.data ? 'Suites' : suitesTitle(all, sample.data.suites)}
        subtitle="Cases name the calls of a request, tasks what has to be done. Open a suite to add some."
        actions={
          !isEmpty && (
            <>
              <Action label="Captured sessions" to="/suites/sessions" />
              {importSuite}
            </>
          )
        }
        primary={!isEmpty && newSuite}
      />
      <WithPanel
        panel={
          params.has('new') ? <SuitePanel suite={null} onClose={close} onSaved={openSuite} /> : null
        }
      >
        <Loaded query={suites} blocks={[32, 240]}>
          {() =>
            isEmpty ? (
              <EmptyState
                icon={<IconListCheck size={32} stroke={1.5} />}
                message="No suites yet. A suite says which tool each request should call. Create one, or import cases that you have."
                action={newSuite}
                second={importSuite}
              />
            ) : (
              <SearchTable
                noun={['suite', 'suites']}
                columns={columns}
                rows={shown}
                rowKey={(suite) => suite.id}
                onOpen={openSuite}
                rowHeight={52}
                search={search}
                onSearch={setSearch}
                onShowAll={() => setSearch('')}
              />
            )
          }
        </Loaded>
      </WithPanel>
    </>
  );
}
