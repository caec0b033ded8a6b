import { Button } from '@mantine/core';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { EvaluationTable } from './EvaluationTable.tsx';
import { useResultLists } from './useLists.ts';

export function EvaluationsPage() {
  const navigate = useNavigate();
  const lists = useResultLists(500);
  const create = (): void => {
    void navigate('/results/new');
  };
  useShortcut('n', create, 'New evaluation');
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations' }]}
        title="Evaluations"
        subtitle="Find out whether models pick the right tool with the right arguments, and get the job done."
        actions={
          <>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              New evaluation
            </Button>
          </>
        }
      />
      <Loaded query={lists} blocks={[32, 360]}>
        {({ cases, tasks }) =>
          cases.length + tasks.length === 0 ? (
            <EmptyState
              icon={<IconTargetArrow size={32} stroke={1.5} />}
              message="No evaluations yet. Choose a suite and a model to see which tools are found and which are confused."
              action={
                <Button component={Link} to="/results/new" variant="default">
                  New evaluation
                </Button>
              }
            />
          ) : (
            <EvaluationTable evaluations={cases} tasks={tasks} />
          )
        }
      </Loaded>
    </>
  );
}
