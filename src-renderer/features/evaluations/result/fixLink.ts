/** Where a tool's definition is changed and the change is tried on an evaluation's cases. */
export function fixLink(evaluationId: string, tool: string): string {
  return `/improve/what-if/${evaluationId}?${new URLSearchParams({ tool }).toString()}`;
}
