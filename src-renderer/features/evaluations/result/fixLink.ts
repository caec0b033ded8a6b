/** Where a tool's definition is changed and the change is tried on an evaluation's cases. */
export function fixLink(evaluationId: string, tool: string): string {
  return `/evaluations/${evaluationId}/what-if?${new URLSearchParams({ tool }).toString()}`;
}
