/** Where a tool's definition is changed and the change is tried on an evaluation's cases. */
export function fixLink(
  evaluationId: string,
  tool: string,
  also: { model?: string | null; candidate?: string } = {},
): string {
  const given = Object.entries({ tool, ...also }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return `/improve/fix/${evaluationId}?${new URLSearchParams(given).toString()}`;
}
