import type { TaskForm, TaskProblems } from './taskForm.ts';
import type { ToolChoices } from './useToolChoices.ts';

export interface TaskPartProps {
  form: TaskForm;
  problems: TaskProblems;
  choices: ToolChoices;
  onChange: (part: Partial<TaskForm>) => void;
}
