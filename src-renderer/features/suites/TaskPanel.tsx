import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { modeTexts } from '../../../src-shared/display/executionTexts.ts';
import { leastMode } from '../../../src-shared/display/taskTexts.ts';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import { useApi } from '../../api/index.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { EditPanel } from './EditPanel.tsx';
import { TaskFields } from './TaskFields.tsx';
import {
  fieldOfTaskForm,
  inputOfTaskForm,
  type TaskForm,
  type TaskInput,
  type TaskProblems,
} from './taskForm.ts';
import { useToolChoices } from './useToolChoices.ts';

interface TaskPanelProps {
  suiteId: string;
  /** The servers of the suite, whose tools are offered first. */
  suiteServers: readonly string[];
  /** Null creates a new task. */
  task: SuiteTask | null;
  start: TaskForm;
  /** Unsaved edits from when the panel was last open. */
  draft: TaskForm | null;
  /** Stores unsaved edits while another task is open; null means that there are none. */
  onDraft: (draft: TaskForm | null) => void;
  knownTags: string[];
  onClose: () => void;
  onSaved: (task: SuiteTask) => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** A task as a form next to its list. */
export function TaskPanel({
  suiteId,
  suiteServers,
  task,
  start,
  draft,
  onDraft,
  knownTags,
  onClose,
  onSaved,
  onDuplicate,
  onDelete,
}: TaskPanelProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [form, setForm] = useState(draft ?? start);
  const choices = useToolChoices(form.servers.length > 0 ? form.servers : suiteServers);
  const [problems, setProblems] = useState<TaskProblems>({});
  const save = useMutation({
    mutationFn: (input: TaskInput) =>
      task === null
        ? client.suites.createTask({ ...input, suiteId })
        : client.suites.updateTask({ ...input, id: task.id }),
    onSuccess: async (saved) => {
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      onDraft(null);
      showDone(`Saved task “${saved.content.name}”.`);
      onSaved(saved);
    },
    onError: (error) => {
      const { field, cause, nextStep } = describeError(error);
      if (field !== null)
        setProblems({ [fieldOfTaskForm(field, form)]: `${cause} ${nextStep}`.trim() });
    },
  });
  return (
    <EditPanel
      noun="task"
      saved={task === null ? null : { id: task.id, key: task.key, name: task.content.name }}
      edited={JSON.stringify(form) !== JSON.stringify(start)}
      saving={save.isPending}
      error={save.error}
      problems={problems}
      onSubmit={() => {
        const result = inputOfTaskForm(form);
        setProblems(result.ok ? {} : result.problems);
        if (result.ok) save.mutate(result.input);
      }}
      onDiscard={() => {
        onDraft(null);
        onClose();
      }}
      onClose={onClose}
      onDuplicate={onDuplicate}
      onDelete={onDelete}
    >
      {task !== null && (
        <Text size="sm" c="dimmed" mb="md">
          Least execution mode that can score it: {modeTexts[leastMode(task.content)].label}.
        </Text>
      )}
      <TaskFields
        form={form}
        problems={problems}
        choices={choices}
        knownTags={knownTags}
        onChange={(part) => {
          const next = { ...form, ...part };
          setForm(next);
          onDraft(next);
          setProblems({});
          if (save.isError) save.reset();
        }}
      />
    </EditPanel>
  );
}
