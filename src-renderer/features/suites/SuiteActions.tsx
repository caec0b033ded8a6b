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
import { MoreAction } from '../../ui/panels/MoreActions.tsx';
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
        <MoreAction
          label={onlyTasks ? 'New case' : 'New task'}
          icon={IconPlus}
          onClick={onlyTasks ? onNewCase : onNewTask}
        />
        <MoreAction label="Suite settings" icon={IconSettings} onClick={onSettings} />
        <MoreAction label="Add cases for a tool" icon={IconTablePlus} onClick={onAddCases} />
        <MoreAction label="Export" icon={IconDownload} onClick={onExport} />
        <Menu.Divider />
        <MoreAction
          label="Delete suite"
          icon={IconTrash}
          c="var(--ts-danger-ink)"
          onClick={onDelete}
        />
      </MoreActions>
    </>
  );
}
