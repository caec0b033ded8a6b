import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import {
  duplicateOfTask,
  emptyTaskForm,
  formOfTask,
  readTaskDraft,
  type TaskForm,
} from './taskForm.ts';
import { TaskPanel } from './TaskPanel.tsx';
import { TaskTable } from './TaskTable.tsx';
import { useDrafts } from './useDrafts.ts';
import { useSuiteActions } from './useSuiteActions.ts';

interface SuiteTasksProps {
  suite: Suite;
  /** Tabs above the table. */
  tabs: ReactNode;
  /** The suite's settings while they are open. */
  settings: ReactNode;
}

/** The tasks of a suite in a table, with a task in the side panel. The address decides which. */
export function SuiteTasks({ suite, tabs, settings }: SuiteTasksProps) {
  const { id: suiteId, servers } = suite;
  const { queries } = useApi();
  const acts = useSuiteActions();
  const [params, setParams] = useSearchParams();
  const [copied, setCopied] = useState<TaskForm | null>(null);
  const drafts = useDrafts(suiteId, readTaskDraft, 'task ');
  const tasks = useQuery(queries.suites.tasks.queryOptions({ input: { suiteId } }));
  const taskId = params.get('task');
  const open = tasks.data?.find(({ id }) => id === taskId) ?? null;

  const close = (): void => {
    setCopied(null);
    setParams({ tab: 'tasks' }, { replace: true });
  };
  const show = (id: string): void => {
    setParams({ tab: 'tasks', task: id });
  };
  const deleteTasks = (ids: string[]): void => {
    if (taskId !== null && ids.includes(taskId)) close();
    void acts.removeTasks(ids);
  };
  const panel = ((): ReactNode => {
    if (settings !== null) return settings;
    if ((open === null && taskId !== 'new') || !drafts.ready) return null;
    return (
      <TaskPanel
        key={open === null ? `new ${copied?.name ?? ''}` : `${open.id} ${open.updatedAt}`}
        suiteId={suiteId}
        suiteServers={servers}
        task={open}
        start={open === null ? (copied ?? emptyTaskForm) : formOfTask(open)}
        draft={drafts.get(open?.id ?? 'new')}
        onDraft={(draft) => {
          drafts.set(open?.id ?? 'new', draft);
        }}
        knownTags={[...new Set(tasks.data?.flatMap(({ content }) => content.tags))].sort()}
        onClose={close}
        onSaved={({ id }) => {
          setCopied(null);
          show(id);
        }}
        onDuplicate={() => {
          if (open === null) return;
          drafts.set('new', null);
          setCopied(duplicateOfTask(open));
          show('new');
        }}
        onDelete={() => {
          if (open !== null) deleteTasks([open.id]);
        }}
      />
    );
  })();

  return (
    <WithPanel panel={panel}>
      {tabs}
      <Loaded query={tasks} blocks={[32, 400]} label="Loading the tasks">
        {(list) => (
          <TaskTable
            tasks={list}
            selected={open?.id ?? null}
            narrow={panel !== null}
            onOpen={({ id }: SuiteTask) => {
              show(id);
            }}
            onDuplicate={(ids) => void acts.duplicateTasks(ids)}
            onDelete={deleteTasks}
            empty={
              <EmptyState
                message="No tasks yet. A task is what a user asks for, and checks that decide whether it got done."
                action={
                  <Button
                    variant="default"
                    onClick={() => {
                      show('new');
                    }}
                  >
                    New task
                  </Button>
                }
              />
            }
          />
        )}
      </Loaded>
    </WithPanel>
  );
}
