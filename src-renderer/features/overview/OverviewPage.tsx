import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { LoadingSkeleton } from '../../ui/notices/LoadingSkeleton.tsx';
import { lastEvaluation, lastTaskEvaluation, nextStep } from './nextStep.ts';
import { NextStepCard } from './NextStepCard.tsx';
import classes from './overview.module.css';
import { SuiteList } from './SuiteList.tsx';

/** How many evaluations are read; what was derived from them comes along. */
const maxEvaluations = 6;
/** Below this, there is room for the suites, which are what to run next. */
const fewEvaluations = 4;

interface OverviewPageProps {
  serverHealth: ReactNode;
  /** The server whose security signals to review; empty if there are none. */
  openSignals: ReactNode;
  LastEvaluation: ComponentType<{ evaluation: Evaluation; quiet: boolean }>;
  LastTaskEvaluation: ComponentType<{ evaluation: TaskEvaluation; quiet: boolean }>;
  RecentEvaluations: ComponentType<{
    evaluations: readonly Evaluation[];
    tasks: readonly TaskEvaluation[];
  }>;
  SuiteTrend: ComponentType<{
    evaluation: Pick<Evaluation, 'suiteId' | 'suiteName' | 'models'>;
    unit: 'case' | 'task';
  }>;
}

/** Whether the evaluation of the sample is still to appear in the list. */
const isAwaited = (sample: SampleData | undefined, evaluations: readonly Evaluation[]): boolean =>
  sample !== undefined &&
  evaluations.length === 0 &&
  (sample.evaluating || sample.evaluation !== null);

/** The verdict of the last evaluation, what to do next, and the state of the servers. */
export function OverviewPage(props: OverviewPageProps) {
  const { serverHealth, openSignals, LastEvaluation, LastTaskEvaluation } = props;
  const { RecentEvaluations, SuiteTrend } = props;
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const suites = useQuery(queries.suites.list.queryOptions());
  const sample = useQuery(
    queries.settings.sample.queryOptions({
      refetchInterval: (query) => (query.state.data?.evaluating === true ? 1000 : false),
    }),
  );
  const evaluations = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: maxEvaluations, limitOf: 'originals' },
      refetchInterval: ({ state: { data = [] } }) =>
        isAwaited(sample.data, data) || data.some(({ state }) => !hasEnded(state)) ? 1000 : 15_000,
    }),
  );
  const tasks = useQuery(
    queries.evaluations.list.queryOptions({
      input: { unit: 'task', limit: maxEvaluations },
      refetchInterval: ({ state: { data = [] } }) =>
        data.some(({ state }) => !hasEnded(state)) ? 1000 : 15_000,
    }),
  );
  const failed = [servers, suites, evaluations, tasks, sample].find((query) => query.isError);
  const loaded =
    servers.data !== undefined &&
    suites.data !== undefined &&
    evaluations.data !== undefined &&
    tasks.data !== undefined &&
    sample.data !== undefined;
  const last = lastEvaluation(evaluations.data ?? []);
  const worked = lastTaskEvaluation(tasks.data ?? []);
  const tasksAreLast =
    worked !== null && (last === null || Date.parse(worked.createdAt) > Date.parse(last.createdAt));
  const step = loaded
    ? nextStep({
        servers: servers.data,
        suites: suites.data,
        evaluations: evaluations.data,
        tasks: tasks.data,
        sampleEvaluating: isAwaited(sample.data, evaluations.data),
      })
    : null;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Overview' }]}
        title="Overview"
        actions={
          (last !== null || worked !== null) && (
            <Button
              component={Link}
              to="/results/new"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              New evaluation
            </Button>
          )
        }
      />
      {failed !== undefined && (
        <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!loaded && failed === undefined && <LoadingSkeleton blocks={[200, 320]} />}
      {loaded && (
        <>
          {step !== null && <NextStepCard step={step} />}
          {tasksAreLast && (
            <Suspense fallback={<LoadingSkeleton blocks={[200]} />}>
              <LastTaskEvaluation key={worked.id} evaluation={worked} quiet={step !== null} />
            </Suspense>
          )}
          {last !== null && !tasksAreLast && (
            <LastEvaluation key={last.id} evaluation={last} quiet={step !== null} />
          )}
          <div className={classes.signals}>
            <Suspense fallback={null}>{openSignals}</Suspense>
          </div>
          <div className={classes.columns}>
            <div className={classes.stack}>
              <RecentEvaluations evaluations={evaluations.data} tasks={tasks.data} />
              {evaluations.data.length + tasks.data.length < fewEvaluations && (
                <SuiteList suites={suites.data} />
              )}
            </div>
            <div className={classes.stack}>
              <Suspense fallback={null}>
                {tasksAreLast ? (
                  <SuiteTrend evaluation={worked} unit="task" />
                ) : (
                  last !== null && <SuiteTrend evaluation={last} unit="case" />
                )}
              </Suspense>
              <Suspense fallback={<LoadingSkeleton blocks={[120]} />}>{serverHealth}</Suspense>
            </div>
          </div>
        </>
      )}
    </>
  );
}
