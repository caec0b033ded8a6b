import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import type { ToolRow } from '../../../src-shared/domain/toolRow.ts';

/** By tool, the candidate that matters most: a proven one that waits, else the newest. */
export function toolCandidates(
  candidates: readonly Candidate[],
): Map<string, NonNullable<ToolRow['candidate']>> {
  return new Map(
    [...Map.groupBy(candidates, ({ toolId }) => toolId)].flatMap(([toolId, own]) => {
      const first = own.find(({ now }) => now === 'accepted') ?? own[0];
      if (first === undefined) return [];
      const { id, now: state, proof } = first;
      return [[toolId, { id, state, won: proof?.won ?? null, lost: proof?.lost ?? null }]];
    }),
  );
}
