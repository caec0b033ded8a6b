import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import classes from '../evaluations.module.css';
import { PlanNumbers, PlanProblems } from './PlanFacts.tsx';
import { PlanEstimate } from './PlanEstimate.tsx';

interface PlanPanelProps {
  /** Null while the form has problems. The same object as long as the form does not change. */
  settings: EvaluationSettings | null;
  /** The first problem of the form. */
  fault: string | null;
}

/** What would run, what is wrong with it, and the button that starts it. */
export function PlanPanel({ settings, fault }: PlanPanelProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(settings, 200);
  const plan = useQuery(
    queries.evaluations.plan.queryOptions({
      input: asked ?? skipToken,
      placeholderData: keepPreviousData,
      // Servers and suites may change meanwhile, so that a plan is never kept for later.
      staleTime: 0,
      gcTime: 0,
    }),
  );
  const start = useMutation({
    mutationFn: (request: EvaluationSettings) => client.evaluations.start(request),
    onSuccess: async (evaluation) => {
      void cache.invalidateQueries({ queryKey: queries.evaluations.list.key() });
      await navigate(`/evaluations/${evaluation.id}`);
    },
  });
  const count = useMutation({
    mutationFn: (request: EvaluationSettings) => client.evaluations.countPlan(request),
  });
  // A count is valid only for the exact form that was counted.
  const counted = count.variables === settings ? count.data : undefined;
  const current =
    settings !== null && asked === settings && !plan.isPlaceholderData ? plan.data : undefined;
  const stopper =
    fault ??
    (current?.problems.some(({ severity }) => severity === 'error') === true
      ? 'Fix the errors above first.'
      : current?.runs === 0
        ? 'The suite has no cases. Add one first.'
        : null);
  return (
    <Section title="Plan">
      <div className={`ts-panel ${classes.box ?? ''}`}>
        {settings !== null && (
          <PlanNumbers entries={plan.data?.cases} entry="case" plan={plan.data} />
        )}
        {plan.error !== null && settings !== null && (
          <ErrorNotice
            error={plan.error}
            onRetry={() => {
              void plan.refetch();
            }}
          />
        )}
        {settings !== null && plan.data !== undefined && (
          <PlanEstimate
            plan={counted ?? plan.data}
            entry="case"
            counting={count.isPending}
            onCount={
              counted === undefined && current?.models.some(({ countable }) => countable) === true
                ? () => {
                    count.mutate(settings);
                  }
                : undefined
            }
          />
        )}
        {count.error !== null && count.variables === settings && (
          <ErrorNotice error={count.error} />
        )}
        {settings !== null && plan.data !== undefined && (
          <PlanProblems problems={plan.data.problems} />
        )}
        <Button
          fullWidth
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={start.isPending}
          disabled={current === undefined || stopper !== null}
          onClick={() => {
            if (settings !== null) start.mutate(settings);
          }}
        >
          Run evaluation
        </Button>
        {stopper !== null && (
          <Text size="sm" c="dimmed" mt="sm" role="status">
            {stopper}
          </Text>
        )}
        {start.error !== null && <ErrorNotice error={start.error} />}
        <Text size="xs" c="dimmed" mt="sm">
          No tool is executed. Models only say which call they would make.
        </Text>
      </div>
    </Section>
  );
}
