import { Button, Menu } from '@mantine/core';
import {
  IconBulb,
  IconDownload,
  IconPlayerPlay,
  IconPlus,
  IconSettings,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { MoreActions } from '../../ui/panels/MoreActions.tsx';

interface SuiteActionsProps {
  suite: Suite;
  /** True while the tasks of the suite are shown. */
  onTasks: boolean;
  onRun: () => void;
  onNewCase: () => void;
  onNewTask: () => void;
  onSettings: () => void;
  onExport: () => void;
  onImport: () => void;
  onPropose: () => void;
  onDelete: () => void;
}

export function SuiteActions({
  suite,
  onTasks,
  onRun,
  onNewCase,
  onNewTask,
  onSettings,
  onExport,
  onImport,
  onPropose,
  onDelete,
}: SuiteActionsProps) {
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={onTasks ? onNewTask : onNewCase}
      >
        {onTasks ? 'New task' : 'New case'}
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={onRun}
        disabled={suite.caseCount + suite.taskCount === 0}
      >
        Run evaluation
      </Button>
      <MoreActions>
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onTasks ? onNewCase : onNewTask}
        >
          {onTasks ? 'New case' : 'New task'}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={onSettings}>
          Suite settings
        </Menu.Item>
        <Menu.Item leftSection={<IconBulb size={16} aria-hidden />} onClick={onPropose}>
          Propose cases
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={onImport}>
          Import cases into it
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
          Export
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash size={16} aria-hidden />}
          c="var(--ts-danger-ink)"
          onClick={onDelete}
        >
          Delete suite
        </Menu.Item>
      </MoreActions>
    </>
  );
}
