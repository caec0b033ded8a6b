import { Menu } from '@mantine/core';
import {
  IconDownload,
  IconPlayerPlay,
  IconPlus,
  IconSettings,
  IconTablePlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { Action } from '../../ui/fields/Action.tsx';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { MoreActions } from '../../ui/panels/MoreActions.tsx';

interface SuiteActionsProps {
  suite: Suite;
  /** True while tasks alone are shown. */
  onlyTasks: boolean;
  onRun: () => void;
  onNewCase: () => void;
  onNewTask: () => void;
  onAddCases: () => void;
  onSettings: () => void;
  onExport: () => void;
  onImport: () => void;
  onPropose: () => void;
  onDelete: () => void;
}

export function SuiteActions(props: SuiteActionsProps) {
  const { suite, onlyTasks, onRun, onNewCase, onNewTask, onAddCases, onSettings, onExport } = props;
  const { onImport, onPropose, onDelete } = props;
  return (
    <>
      <Action
        label={onlyTasks ? 'New task' : 'New case'}
        icon={IconPlus}
        onClick={onlyTasks ? onNewTask : onNewCase}
      />
      <Action label="Propose" onClick={onPropose} />
      <Action label="Import" icon={IconUpload} onClick={onImport} />
      <Action
        label="Run evaluation"
        filled
        icon={IconPlayerPlay}
        onClick={onRun}
        disabled={suite.caseCount + suite.taskCount === 0}
      />
      <MoreActions>
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onlyTasks ? onNewCase : onNewTask}
        >
          {onlyTasks ? 'New case' : 'New task'}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={onSettings}>
          Suite settings
        </Menu.Item>
        <Menu.Item leftSection={<IconTablePlus size={16} aria-hidden />} onClick={onAddCases}>
          Add cases for a tool
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
