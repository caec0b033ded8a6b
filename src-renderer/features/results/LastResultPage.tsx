import { Navigate, useLocation } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded } from '../../ui/notices/notices.tsx';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { useRead } from '../../api/index.ts';

/** Among so many, the last finished result is looked for. */
const limit = 50;

/** Leads to the last finished result, or to a page of it, where an address names none. */
export function LastResultPage() {
  const { pathname, search } = useLocation();
  const list = useRead((ask) => ask.results.list, { input: { limit } });
  return (
    // An older list would lead to an older result.
    <Loaded
      query={{ ...list, data: list.isFetching ? undefined : list.data }}
      blocks={[24, 160, 360]}
    >
      {({ groups }) => {
        const last = groups
          .map(({ lead }) => lead.evaluation)
          .find(({ state, origin }) => hasEnded(state) && origin === null);
        return last === undefined ? (
          <>
            <PageHeader crumbs={[{ label: 'Results', to: '/results' }]} title="Last result" />
            <EmptyState
              message="There is no finished result yet. Run an evaluation first. The built-in selector is free and takes seconds."
              action={<Action label="Run evaluation" filled to="/results/new" />}
            />
          </>
        ) : (
          <Navigate to={`${pathname.replace('/last', `/${last.id}`)}${search}`} replace />
        );
      }}
    </Loaded>
  );
}
