import { Action } from '../fields/controls.tsx';
import { EmptyState } from '../notices/notices.tsx';
import { PageHeader } from './PageHeader.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader crumbs={[{ label: 'Not found' }]} title="Page not found" />
      <EmptyState
        message="The address is wrong, or the item was deleted."
        action={<Action label="Go to overview" filled to="/" />}
      />
    </>
  );
}
