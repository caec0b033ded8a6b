import { toolId } from '../../../src-shared/domain/labels.ts';
import { candidateState, type OfferedTools } from '../../../src-shared/metrics/candidateState.ts';
import type { ToolRow } from '../../../src-shared/domain/toolRow.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import type { Store } from '../../store/store.ts';
import { offeredNow } from '../candidates/offeredNow.ts';
import type { ListedTool } from './toolFacts.ts';

/** The candidate of each listed tool that matters most: a proven one that waits, else the newest. */
export function toolCandidates(
  store: Store,
  listed: readonly ListedTool[],
): Map<string, NonNullable<ToolRow['candidate']>> {
  const byTool = Map.groupBy(store.candidates.list(null), (candidate) => candidate.toolId);
  if (byTool.size === 0) return new Map();
  const offered = offeredNow(store);
  return new Map(
    listed.flatMap((tool) => {
      const id = toolId(tool.server, tool.name);
      const own = (byTool.get(id) ?? []).map((candidate) => ({
        id: candidate.id,
        state: candidate.state,
        standing: standingOf(candidate, offered),
        won: candidate.proof?.won ?? null,
        lost: candidate.proof?.lost ?? null,
      }));
      const first = own.find(({ standing }) => standing === 'waiting') ?? own[0];
      return first ? [[id, first]] : [];
    }),
  );
}

/** Whether the server still has the text that a proven candidate replaces. */
function standingOf(
  { state, edits }: StoredCandidate,
  offered: OfferedTools,
): NonNullable<ToolRow['candidate']>['standing'] {
  if (state !== 'accepted') return null;
  const now = candidateState(state, edits, offered);
  return now === 'applied' || now === 'out_of_date' ? now : 'waiting';
}
