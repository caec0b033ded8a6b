import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MetricsFilter } from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import compare from '../compare/compare.module.css';

export type FilterField = 'suite' | 'model' | 'tag' | 'server' | 'tool' | 'from' | 'to' | 'derived';

interface MetricsFiltersProps {
  filter: MetricsFilter;
  onChange: (name: FilterField, value: string | null) => void;
}

/** Which runs are counted. Every field offers what occurs in stored evaluations. */
export function MetricsFilters({ filter, onChange }: MetricsFiltersProps) {
  const { queries } = useApi();
  // With any page of the list come the suites and models of all results.
  const results = useQuery(queries.results.list.queryOptions({ input: { limit: 1 } }));
  const choices = useQuery(queries.results.metricsChoices.queryOptions());
  const { suites = [], models = [] } = results.data ?? {};
  const { tags = [], servers = [], tools = [] } = choices.data ?? {};
  const field = (
    name: Exclude<FilterField, 'derived'>,
    label: string,
    values: readonly string[],
    width: number,
  ) => {
    const chosen = filter[name] ?? null;
    return (
      <Select
        label={label}
        placeholder="Any"
        clearable
        searchable
        w={width}
        limit={200}
        data={[...new Set(chosen === null ? values : [...values, chosen])]}
        nothingFoundMessage={values.length === 0 ? `No ${name} in any run yet` : 'No match'}
        value={chosen}
        onChange={(value) => onChange(name, value)}
      />
    );
  };
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      label={label}
      type="date"
      w={136}
      value={filter[name] ?? ''}
      onChange={(event) => onChange(name, event.currentTarget.value)}
    />
  );
  return (
    <div className={compare.choices}>
      {field('suite', 'Suite', suites, 170)}
      {field('model', 'Model', models, 170)}
      {field('tag', 'Tag', tags, 130)}
      {field('server', 'Server', servers, 130)}
      {field('tool', 'Tool', tools, 210)}
      {day('from', 'From')}
      {day('to', 'Before')}
      {filter.evaluationIds === undefined && (
        <Checkbox
          label="Include estimates and other derived results"
          title="Estimates, case reruns, runs of candidates, search steps, and accuracy vs. tokens steps"
          mb={8}
          checked={filter.derived === true}
          onChange={(event) => onChange('derived', event.currentTarget.checked ? 'true' : null)}
        />
      )}
    </div>
  );
}
