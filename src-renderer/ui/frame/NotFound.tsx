import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../notices/EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader crumbs={[{ label: 'Not found' }]} title="There is no such screen" />
      <EmptyState
        message="The address leads nowhere; what it meant may have been removed."
        action={
          <Button component={Link} to="/">
            Go to the overview
          </Button>
        }
      />
    </>
  );
}
