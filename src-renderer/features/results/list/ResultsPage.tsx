import { Action } from '../../../ui/fields/controls.tsx';
import { ListFilter } from '../../../ui/fields/ListFilter.tsx';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { resultSorts } from '../../../../src-shared/domain/runSorts.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { SuiteTrend } from '../trend/SuiteTrend.tsx';
import { ResultsTable } from './ResultsTable.tsx';
import { type ResultsFilter, useResults } from './useResults.ts';

const units: readonly { value: EvaluationUnit; label: string }[] = [
  { value: 'case', label: 'Cases' },
  { value: 'task', label: 'Tasks' },
];

function readFilter(params: URLSearchParams): ResultsFilter {
  const sort = params.get('sort') ?? '';
  return {
    unit: units.find(({ value }) => value === params.get('of'))?.value ?? null,
    suite: params.get('suite'),
    model: params.get('model'),
    search: (params.get('q') ?? '').slice(0, 500),
    sort: resultSorts.find((one) => one === sort.replace(/^-/, '')) ?? null,
    descending: sort.startsWith('-'),
  };
}

export function ResultsPage() {
  const navigate = useNavigate();
  const [params, change] = useAddress();
  const filter = readFilter(params);
  const results = useResults(filter);
  const create = (): void => void navigate('/results/new');
  useShortcut('n', create, 'New evaluation');
  const set = (name: string, value: string | null): void => change({ [name]: value });
  const newEvaluation = <Action label="New evaluation" filled icon={IconPlus} onClick={create} />;
  const choice = (
    label: string,
    name: string,
    chosen: string | null,
    values: readonly (string | { value: string; label: string })[],
  ) => (
    <ListFilter
      label={label}
      placeholder={name === 'of' ? label : `Any ${label.toLowerCase()}`}
      searchable={name !== 'of'}
      data={[...values]}
      value={chosen}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results' }]}
        title="Results"
        subtitle="What the models did with your cases and tasks. Mark rows to see the numbers of several results or to compare two."
        primary={results.data?.suites.length !== 0 && newEvaluation}
      />
      <Loaded query={results} blocks={[32, 360]}>
        {({ groups, total, suites, models }) =>
          suites.length === 0 ? (
            <EmptyState
              icon={<IconTargetArrow size={32} stroke={1.5} />}
              message="No results yet. Choose a suite and a model to see which tools are found and which are confused."
              action={newEvaluation}
            />
          ) : (
            <>
              {filter.suite !== null && groups[0]?.lead.evaluation.suiteId === null && (
                // A suite that came from a file, or was deleted, has no page that shows its trend.
                <SuiteTrend
                  evaluation={{ suiteId: null, suiteName: filter.suite, models: [] }}
                  unit={groups[0].lead.unit}
                />
              )}
              <ResultsTable
                groups={groups}
                total={total}
                onEndReached={results.more}
                sort={filter.sort && { column: filter.sort, descending: filter.descending }}
                onSort={(sort) =>
                  set('sort', sort && `${sort.descending ? '-' : ''}${sort.column}`)
                }
                search={filter.search}
                onSearch={(text) => set('q', text)}
                filters={
                  <>
                    {choice(
                      'Suite',
                      'suite',
                      // Other pages name the suite by its ID.
                      filter.suite &&
                        (groups.find(({ lead }) => lead.evaluation.suiteId === filter.suite)?.lead
                          .evaluation.suiteName ??
                          filter.suite),
                      suites,
                    )}
                    {choice('Model', 'model', filter.model, models)}
                    {choice('Cases and tasks', 'of', filter.unit, units)}
                  </>
                }
                onShowAll={() =>
                  change({ of: null, suite: null, model: null, q: null, sort: null })
                }
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}
