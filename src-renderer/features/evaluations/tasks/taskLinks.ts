/** The address of the result of a task evaluation. */
export const taskEvaluationLink = (id: string): string => `/evaluations/tasks/${id}`;

/** The address of the trajectory of a run. */
export const taskRunLink = (id: string, runId: string): string =>
  `${taskEvaluationLink(id)}/runs/${runId}`;
