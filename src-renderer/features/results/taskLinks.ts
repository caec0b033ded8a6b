/** The address of the result of a task evaluation. */
export const taskEvaluationLink = (id: string): string => `/evaluations/tasks/${id}`;

/** A run by the id of its evaluation and its own. */
export interface TaskRunAddress {
  id: string;
  runId: string;
}

/** The address of the trajectory of a run, beside that of another run where one is given. */
export function taskRunLink(
  id: string,
  runId: string,
  reference: TaskRunAddress | null = null,
): string {
  const path = `${taskEvaluationLink(id)}/runs/${runId}`;
  return reference === null ? path : `${path}?with=${writeRun(reference)}`;
}

export const writeRun = ({ id, runId }: TaskRunAddress): string => `${id}/${runId}`;

/** The run that `writeRun` wrote; null if the text names none. */
export function readRun(text: string | null): TaskRunAddress | null {
  const [id = '', runId = ''] = (text ?? '').split('/');
  return id === '' || runId === '' ? null : { id, runId };
}
