import { Button, Menu } from '@mantine/core';
import {
  IconArrowsDiff,
  IconChartLine,
  IconDots,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { useCancelTasks, useDeleteTasks } from '../useTaskActions.ts';
import { useTaskList } from '../list/useTaskList.ts';

const maxSearched = 100;

/** Cancels a task evaluation under way; exports an ended one, or starts another of its suite. */
export function TaskActions({
  evaluation: { id, number, suiteName, state, suiteId, settings },
}: {
  evaluation: TaskEvaluation;
}) {
  const navigate = useNavigate();
  const { data: listed = [] } = useTaskList(maxSearched);
  // The newest one before it of the same suite and mode.
  const previous =
    listed
      .filter((one) => one.number < number && one.suiteName === suiteName && hasEnded(one.state))
      .find((one) => one.settings.mode === settings.mode)?.id ?? null;
  const cancel = useCancelTasks();
  const remove = useDeleteTasks(() => {
    void navigate('/evaluations');
  });
  return (
    <>
      {hasEnded(state) ? (
        suiteId !== null && (
          <Button
            component={Link}
            to={`/evaluations/new?suite=${encodeURIComponent(suiteId)}&run=tasks`}
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
          >
            Run again
          </Button>
        )
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => {
            cancel.mutate(id);
          }}
        >
          Cancel
        </Button>
      )}
      {hasEnded(state) && (
        <Button
          component={Link}
          to={`/evaluations/compare?${new URLSearchParams(previous === null ? { base: id } : { base: previous, with: id }).toString()}`}
          variant="default"
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
        >
          Compare
        </Button>
      )}
      {hasEnded(state) && (
        <ShownExport
          subject="tasks"
          name={`${number} ${suiteName}`}
          shown={{ subject: 'tasks', id }}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={`/evaluations/trend?${new URLSearchParams({ suite: suiteId ?? suiteName, of: 'task' }).toString()}`}
            leftSection={<IconChartLine size={16} aria-hidden />}
          >
            Trend of the suite
          </Menu.Item>
          <Menu.Item
            color="vermilion"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              remove.mutate(id);
            }}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
