import { Button } from '@mantine/core';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { EvaluationTable } from './EvaluationTable.tsx';
import { useCaseList, useTaskList } from './useLists.ts';

export function EvaluationsPage() {
  const navigate = useNavigate();
  const list = useCaseList(500);
  const tasks = useTaskList(500);
  const create = (): void => {
    void navigate('/evaluations/new');
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
      <Loaded query={list} blocks={[32, 360]}>
        {(evaluations) => (
          <Loaded query={tasks} blocks={[32, 360]}>
            {(taskEvaluations) =>
              evaluations.length + taskEvaluations.length === 0 ? (
                <EmptyState
                  icon={<IconTargetArrow size={32} stroke={1.5} />}
                  message="No evaluations yet. Choose a suite and a model to see which tools are found and which are confused."
                  action={
                    <Button component={Link} to="/evaluations/new" variant="default">
                      New evaluation
                    </Button>
                  }
                />
              ) : (
                <EvaluationTable evaluations={evaluations} tasks={taskEvaluations} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
