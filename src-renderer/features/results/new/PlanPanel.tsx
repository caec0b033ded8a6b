import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useMutation } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluationSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from '../evaluations.module.css';
import { readBack, resultFor } from '../links.ts';
import { PlanEstimate, PlanNumbers, PlanProblems } from './PlanParts.tsx';
import { useConsent } from './useConsent.tsx';

/** What the form asks for: the settings are null while it has problems. */
export type Wanted =
  | { unit: 'case'; settings: EvaluationSettings | null }
  | { unit: 'task'; settings: TaskEvaluationSettings | null };

interface PlanPanelProps {
  /** The same object as long as the form does not change. */
  wanted: Wanted;
  /** The first problem of the form. */
  fault: string | null;
}

/** Servers and suites may change meanwhile, so that a plan is never kept for later. */
const fresh = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0 } as const;

const requestOf = ({ unit, settings }: Wanted) =>
  settings && (unit === 'task' ? { ...settings, unit } : { ...settings, unit });

/** What would run, what it may execute, what is wrong with it, and the button that starts it. */
export function PlanPanel({ wanted, fault }: PlanPanelProps) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [asked] = useDebouncedValue(wanted, 200);
  const { unit, settings } = wanted;
  const plan = useRead((ask) => ask.evaluations.plan, {
    input: requestOf(asked) ?? skipToken,
    ...fresh,
  });
  const current =
    settings !== null && asked === wanted && !plan.isPlaceholderData ? plan.data : undefined;
  const consent = useConsent(current !== undefined && 'executes' in current ? current : null, {
    about: wanted,
    replays: settings?.models.every(({ provider }) => provider === 'replay') === true,
  });
  const start = useMutation({
    mutationFn: ({ unit, settings }: Wanted): Promise<{ id: string }> => {
      if (settings === null) throw new Error('The form has problems.');
      return unit === 'task'
        ? client.evaluations.start({ ...settings, unit, ...consent.agreed })
        : client.evaluations.start(settings);
    },
    onSuccess: async ({ id }) => {
      void reread(queries.evaluations.list);
      await navigate(resultFor(id, readBack(params)));
    },
  });
  const count = useMutation({
    mutationFn: (request: EvaluationSettings) => client.evaluations.countPlan(request),
  });
  // A count is valid only for the exact form that was counted.
  const isCounted = settings !== null && count.variables === settings;
  const counted = isCounted ? count.data : undefined;
  const countable =
    wanted.unit === 'case' &&
    counted === undefined &&
    current?.models.some((model) => model.countable) === true
      ? wanted.settings
      : null;
  const stopper =
    fault ??
    (current?.problems.some(({ severity }) => severity === 'error') === true
      ? 'Fix the errors above first.'
      : !consent.given
        ? 'Agree to execute these tools first, or choose another execution mode.'
        : unit === 'case' && current?.runs === 0
          ? 'The suite has no cases. Add one first.'
          : null);
  const known = settings === null ? undefined : plan.data;
  return (
    <Section title="Plan">
      <div className={`ts-panel ${classes.box ?? ''}`}>
        {settings !== null && <PlanNumbers unit={unit} plan={known} />}
        {plan.error !== null && settings !== null && (
          <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
        )}
        {known !== undefined && (
          <PlanEstimate
            plan={counted ?? known}
            entry={unit}
            counting={count.isPending}
            onCount={countable === null ? undefined : () => count.mutate(countable)}
          />
        )}
        {count.error !== null && isCounted && <ErrorNotice error={count.error} />}
        {known !== undefined && <PlanProblems problems={known.problems} />}
        {consent.panel}
        <Action
          label="Run evaluation"
          filled
          fullWidth
          icon={IconPlayerPlay}
          loading={start.isPending}
          disabled={current === undefined || stopper !== null}
          onClick={() => start.mutate(wanted)}
        />
        {stopper !== null && (
          <Text size="sm" c="dimmed" mt="sm" role="status">
            {stopper}
          </Text>
        )}
        {start.error !== null && start.variables === wanted && <ErrorNotice error={start.error} />}
        {unit === 'case' && (
          <Text size="xs" c="dimmed" mt="sm">
            No tool is executed. Models only say which call they would make.
          </Text>
        )}
      </div>
    </Section>
  );
}
