import { Button } from '@mantine/core';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { useFinishedTrials } from './useFinishedTrials.ts';

/** What is done with the last result, where an address names none: a page of it. */
const pages: Readonly<Record<string, string>> = { estimate: '/estimate', search: '/search' };

/** Leads to the last finished result, or to what is done with it. */
export function LastResultPage() {
  const { action = '' } = useParams();
  const { search } = useLocation();
  const { list, finished } = useFinishedTrials();
  return (
    <Loaded query={list} blocks={[24, 160, 360]}>
      {() => {
        const [last] = finished;
        return last === undefined ? (
          <>
            <PageHeader crumbs={[{ label: 'Results', to: '/results' }]} title="Last result" />
            <EmptyState
              message="There is no finished result yet. Run an evaluation first. The built-in selector is free and takes seconds."
              action={
                <Button component={Link} to="/results/new">
                  Run evaluation
                </Button>
              }
            />
          </>
        ) : (
          <Navigate to={`/results/${last.id}${pages[action] ?? ''}${search}`} replace />
        );
      }}
    </Loaded>
  );
}
