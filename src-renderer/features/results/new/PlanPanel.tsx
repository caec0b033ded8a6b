import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQueries } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { plansTogether } from '../../../../src-shared/display/planTexts.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from '../evaluations.module.css';
import { readBack, resultFor } from '../links.ts';
import type { PlannedRequest } from './evaluationForm.ts';
import { PlanEstimate, PlanNumbers, PlanProblems } from './PlanParts.tsx';
import { failedPlan, startTogether } from './startTogether.ts';
import { useConsent } from './useConsent.tsx';

interface PlanPanelProps {
  unit: EvaluationUnit;
  /**
   * What the form asks for, one request for each client; none while it has problems. The same object
   * as long as the form does not change.
   */
  requests: readonly PlannedRequest[];
  /** The first problem of the form. */
  fault: string | null;
}

/** Servers and suites may change meanwhile, so that a plan is never kept for later. */
const fresh = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0 } as const;

/** What would run, what it may execute, what is wrong with it, and the button that starts it. */
export function PlanPanel({ unit, requests, fault }: PlanPanelProps) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [asked] = useDebouncedValue(requests, 200);
  const [first] = requests;
  const plan = useQueries({
    queries: asked.map((input) => queries.evaluations.plan.queryOptions({ input, ...fresh })),
    combine: (all) => ({
      data: plansTogether(all.map(({ data }, at) => [asked[at]?.client, data])),
      isOld: all.some(({ isPlaceholderData }) => isPlaceholderData),
      failed: failedPlan(asked, all),
    }),
  });
  const current = first !== undefined && asked === requests && !plan.isOld ? plan.data : undefined;
  const consent = useConsent(current !== undefined && 'executes' in current ? current : null, {
    about: requests,
    replays: first?.models.every(({ provider }) => provider === 'replay') === true,
  });
  const start = useMutation({
    mutationFn: (all: readonly PlannedRequest[]) => startTogether(client, all, consent.agreed),
    onSuccess: async (started) => {
      void reread(queries.evaluations.list);
      await navigate(resultFor(started, readBack(params)));
    },
  });
  const count = useMutation({
    mutationFn: async (all: readonly PlannedRequest[]) => {
      const cases = all.flatMap(({ unit: of, ...one }) => (of === 'case' ? [one] : []));
      const plans = await Promise.all(cases.map((one) => client.evaluations.countPlan(one)));
      return plansTogether(plans.map((one, at) => [cases[at]?.client, one]));
    },
  });
  // A count is valid only for the exact form that was counted.
  const isCounted = first !== undefined && count.variables === requests;
  const counted = isCounted ? count.data : undefined;
  const countable =
    unit === 'case' &&
    counted === undefined &&
    current?.models.some((model) => model.countable) === true;
  const stopper =
    fault ??
    (current?.problems.some(({ severity }) => severity === 'error') === true
      ? 'Fix the errors above first.'
      : !consent.given
        ? 'Agree to execute these tools first, or choose another execution mode.'
        : unit === 'case' && current?.runs === 0
          ? 'The suite has no cases. Add one first.'
          : null);
  const known = first === undefined ? undefined : plan.data;
  return (
    <Section title="Plan">
      <div className={`ts-panel ${classes.box ?? ''}`}>
        {first !== undefined && <PlanNumbers unit={unit} plan={known} />}
        {plan.failed !== undefined && (
          <ErrorNotice error={plan.failed.error} onRetry={() => void plan.failed?.refetch()} />
        )}
        {known !== undefined && (
          <PlanEstimate
            plan={counted ?? known}
            entry={unit}
            counting={count.isPending}
            onCount={countable ? () => count.mutate(requests) : undefined}
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
          onClick={() => start.mutate(requests)}
        />
        {stopper !== null && (
          <Text size="sm" c="dimmed" mt="sm" role="status">
            {stopper}
          </Text>
        )}
        {start.error !== null && start.variables === requests && (
          <ErrorNotice error={start.error} />
        )}
        {unit === 'case' && (
          <Text size="xs" c="dimmed" mt="sm">
            No tool is executed. Models only say which call they would make.
          </Text>
        )}
      </div>
    </Section>
  );
}
