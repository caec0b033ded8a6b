import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import { useResumeTasks } from './useTaskActions.ts';

interface ResumeTasksProps {
  evaluation: Pick<TaskEvaluation, 'id' | 'number'>;
  /** How it looks where resuming is the next step of the page; else it is a button of a row. */
  prominent?: 'filled' | 'default';
}

/** Runs again, from the start, what has no score in a task evaluation. */
export function ResumeTasks({ evaluation: { id, number }, prominent }: ResumeTasksProps) {
  const resume = useResumeTasks();
  return (
    <Button
      {...(prominent === undefined
        ? { size: 'compact-sm', variant: 'default' }
        : { variant: prominent, leftSection: <IconPlayerPlay size={16} aria-hidden /> })}
      loading={resume.isPending}
      aria-label={`Resume task evaluation ${number}`}
      onClick={(event) => {
        event.stopPropagation();
        resume.mutate(id);
      }}
    >
      Resume
    </Button>
  );
}
