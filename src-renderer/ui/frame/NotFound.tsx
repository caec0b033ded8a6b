import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../notices/EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader crumbs={[{ label: 'Not found' }]} title="Page not found" />
      <EmptyState
        message="The address is wrong, or the item was deleted."
        action={
          <Button component={Link} to="/">
            Go to overview
          </Button>
        }
      />
    </>
  );
}
