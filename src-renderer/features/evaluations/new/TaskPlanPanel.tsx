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
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { TaskEvaluationSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import classes from '../evaluations.module.css';
import { ExecutedTools } from './ExecutedTools.tsx';
import { PlanEstimate } from './PlanEstimate.tsx';
import { PlanNumbers, PlanProblems } from './PlanFacts.tsx';
import { coverOf } from './useConsent.tsx';

interface TaskPlanPanelProps {
  /** Null while the form has problems. The same object as long as the form does not change. */
  settings: TaskEvaluationSettings | null;
  /** The first problem of the form. */
  fault: string | null;
}

/** What the person agreed to. It ends when the form or the tools of a server change. */
interface Agreement {
  settings: TaskEvaluationSettings | null;
  cover: string;
}

/** What an evaluation of tasks would run and execute, and the button that starts it. */
export function TaskPlanPanel({ settings, fault }: TaskPlanPanelProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(settings, 200);
  const [agreement, setAgreement] = useState<Agreement | null>(null);
  const plan = useQuery(
    queries.evaluations.plan.queryOptions({
      input: asked ? { unit: 'task', ...asked } : skipToken,
      placeholderData: keepPreviousData,
      // Servers and suites may change meanwhile, so that a plan is never kept for later.
      staleTime: 0,
      gcTime: 0,
    }),
  );
  const start = useMutation({
    mutationFn: (request: TaskEvaluationSettings) =>
      client.evaluations.start({ unit: 'task', ...request }),
    onSuccess: async ({ id }) => {
      void cache.invalidateQueries({ queryKey: queries.evaluations.list.key() });
      await navigate(`/evaluations/tasks/${id}`);
    },
  });
  const current =
    settings !== null && asked === settings && !plan.isPlaceholderData ? plan.data : undefined;
  const agreed =
    current !== undefined &&
    agreement?.settings === settings &&
    agreement.cover === coverOf(current);
  const replays = settings?.models.every(({ provider }) => provider === 'replay') === true;
  const needsConsent = settings?.mode === 'full' && !replays;
  const stopper =
    fault ??
    (current?.problems.some(({ severity }) => severity === 'error') === true
      ? 'Fix the errors above first.'
      : needsConsent && current !== undefined && !agreed
        ? 'Agree to execute these tools first, or choose another execution mode.'
        : null);
  return (
    <Section title="Plan">
      <div className={`ts-panel ${classes.box ?? ''}`}>
        {settings !== null && (
          <PlanNumbers entries={plan.data?.tasks} entry="task" plan={plan.data} />
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
          <PlanEstimate plan={plan.data} entry="task" />
        )}
        {settings !== null && plan.data !== undefined && (
          <PlanProblems problems={plan.data.problems} />
        )}
        {current !== undefined && (
          <ExecutedTools
            plan={current}
            agreed={agreed}
            replays={replays}
            onAgree={(agrees) => {
              setAgreement(agrees ? { settings, cover: coverOf(current) } : null);
            }}
          />
        )}
        <Button
          fullWidth
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={start.isPending}
          disabled={current === undefined || stopper !== null}
          onClick={() => {
            if (settings !== null && current !== undefined)
              start.mutate({ ...settings, agreedServers: agreed ? current.servers : [] });
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
      </div>
    </Section>
  );
}
