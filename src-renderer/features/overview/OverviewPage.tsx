import { useQuery } from '@tanstack/react-query';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { LoadingSkeleton } from '../../ui/notices/LoadingSkeleton.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { nextStep } from './nextStep.ts';
import { NextStepCard } from './NextStepCard.tsx';
import classes from './overview.module.css';
import { SuiteList } from './SuiteList.tsx';

/** What happened last, the state of the servers, and what to do next. */
export function OverviewPage({
  serverHealth,
  recentEvaluations,
}: {
  serverHealth: ReactNode;
  recentEvaluations: ReactNode;
}) {
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const suites = useQuery(queries.suites.list.queryOptions());
  const evaluations = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: 8 },
      refetchInterval: (query) =>
        query.state.data?.some((evaluation) => !hasEnded(evaluation.state)) === true ? 1000 : false,
    }),
  );
  const failed = [servers, suites, evaluations].find((query) => query.isError);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Overview' }]} title="Overview" />
      {failed !== undefined && (
        <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {servers.data === undefined || suites.data === undefined || evaluations.data === undefined ? (
        failed === undefined && <LoadingSkeleton blocks={[120, 240]} />
      ) : (
        <>
          <NextStepCard
            step={nextStep({
              servers: servers.data,
              suites: suites.data,
              evaluations: evaluations.data,
            })}
          />
          <div className={classes.columns}>
            {recentEvaluations}
            <div>
              <Section
                title="Servers"
                aside={
                  <Anchor component={Link} to="/servers" size="sm">
                    All servers
                  </Anchor>
                }
              >
                {serverHealth}
              </Section>
              <SuiteList suites={suites.data} />
            </div>
          </div>
        </>
      )}
    </>
  );
}
