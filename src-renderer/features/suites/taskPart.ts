import type { TaskForm, TaskProblems } from './taskForm.ts';
import type { ToolChoices } from './useToolChoices.ts';

/** What every part of the form of a task receives. */
export interface TaskPartProps {
  form: TaskForm;
  problems: TaskProblems;
  choices: ToolChoices;
  onChange: (part: Partial<TaskForm>) => void;
}
