import { IconPlus } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { ListedResult } from '../../../src-shared/contract/results.ts';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { useRead, useSample, whileRunning } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { ErrorNotice, LoadingSkeleton } from '../../ui/notices/notices.tsx';
import { lastResult, nextStep, ownPart, type Workspace } from './nextStep.ts';
import { NextStepCard } from './NextStepCard.tsx';
import classes from './overview.module.css';

/** How many results of each unit are read, so that own ones are found behind those of the sample. */
const maxResults = 12;

interface OverviewPageProps {
  /** What is known of the tools without any run. */
  known: ReactNode;
  servers: ReactNode;
  LastResult: ComponentType<{ one: ListedResult; quiet: boolean }>;
  RecentEvaluations: ComponentType<{ exceptSuites: string[] }>;
}

/** Whether the evaluation of the sample is still to appear in the list. */
const isAwaited = (sample: SampleData | undefined, evaluations: readonly Evaluation[]): boolean =>
  sample !== undefined &&
  evaluations.length === 0 &&
  (sample.evaluating || sample.evaluation !== null);

/** Where I stand and what is next: the last verdict, the one next step, tools and servers. */
export function OverviewPage(props: OverviewPageProps) {
  const { LastResult, RecentEvaluations } = props;
  const { all, sample, showSample, failed } = useWorkspace();
  const shown = all && sample && ownPart(all, sample, showSample);
  const last = shown && lastResult(shown, sample);
  const step = shown
    ? nextStep(shown, { sample, sampleEvaluating: isAwaited(sample, shown.evaluations) })
    : null;
  // A proven fix follows from the verdict; every other step comes before there is one.
  const follows = last != null && step?.kind === 'proven';
  const card = step && <NextStepCard step={step} />;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Overview' }]}
        title="Overview"
        actions={
          last != null && <Action label="New evaluation" to="/results/new" icon={IconPlus} />
        }
      />
      <ErrorNotice error={failed?.error} onRetry={() => void failed?.refetch()} />
      {shown === undefined && failed === undefined && <LoadingSkeleton blocks={[200, 320]} />}
      {shown && (
        <>
          {!follows && card}
          <Suspense fallback={<LoadingSkeleton blocks={[200]} />}>
            {last && <LastResult key={last.evaluation.id} one={last} quiet={step !== null} />}
          </Suspense>
          {follows && card}
          <div className={classes.columns}>
            <div className={classes.stack}>
              <Suspense fallback={<LoadingSkeleton blocks={[160]} />}>
                {props.known}
                {(last != null || shown.evaluations.length + shown.tasks.length > 0) && (
                  <RecentEvaluations exceptSuites={shown === all ? [] : sample.suites} />
                )}
              </Suspense>
            </div>
            {all.servers.length > 0 && (
              <div className={classes.stack}>
                <Suspense fallback={<LoadingSkeleton blocks={[160]} />}>{props.servers}</Suspense>
              </div>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** Everything of the workspace that the page speaks of; undefined until all of it is known. */
function useWorkspace() {
  const servers = useRead((ask) => ask.servers.list);
  const suites = useRead((ask) => ask.suites.list);
  const settings = useRead((ask) => ask.settings.get);
  const candidates = useRead((ask) => ask.candidates.list, { input: {} });
  const sample = useSample();
  const evaluations = useRead((ask) => ask.evaluations.list, {
    input: { limit: maxResults, limitOf: 'originals' },
    refetchInterval: ({ state: { data = [] } }) =>
      isAwaited(sample.data, data) || data.some(({ state }) => !hasEnded(state)) ? 1000 : 15_000,
  });
  const tasks = useRead((ask) => ask.evaluations.list, {
    input: { unit: 'task', limit: maxResults },
    refetchInterval: whileRunning(1000, 15_000),
  });
  const all: Workspace | undefined =
    servers.data && suites.data && evaluations.data && tasks.data && candidates.data
      ? {
          servers: servers.data,
          suites: suites.data,
          evaluations: evaluations.data,
          tasks: tasks.data,
          proven: candidates.data.filter(({ now }) => now === 'accepted'),
        }
      : undefined;
  return {
    all: settings.data && all,
    sample: sample.data,
    showSample: settings.data?.showSample === true,
    failed: [servers, suites, settings, candidates, evaluations, tasks, sample].find(
      (query) => query.isError,
    ),
  };
}
