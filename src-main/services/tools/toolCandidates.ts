import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { textAt } from '../../../src-shared/domain/textEdit.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ToolRow } from '../../../src-shared/domain/toolRow.ts';
import type { Store } from '../../store/store.ts';
import type { ListedTool } from './toolFacts.ts';

/** The candidate of each listed tool that matters most: a proven one that waits, else the newest. */
export function toolCandidates(
  store: Pick<Store, 'candidates' | 'toolSnapshots'>,
  listed: readonly ListedTool[],
): Map<string, NonNullable<ToolRow['candidate']>> {
  const byTool = Map.groupBy(store.candidates.list(null), (candidate) => candidate.toolId);
  if (byTool.size === 0) return new Map();
  const snapshots = new Map<string, Map<string, SnapshotTool>>();
  const definition = ({ snapshotId, name }: ListedTool): SnapshotTool | undefined => {
    const known =
      snapshots.get(snapshotId) ??
      new Map(store.toolSnapshots.get(snapshotId)?.tools.map((tool) => [tool.name, tool]));
    snapshots.set(snapshotId, known);
    return known.get(name);
  };
  return new Map(
    listed.flatMap((tool) => {
      const id = toolId(tool.server, tool.name);
      const own = (byTool.get(id) ?? []).map((candidate) => ({
        id: candidate.id,
        state: candidate.state,
        standing: standingOf(candidate, () => definition(tool)),
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
  { state, edits, toolId: id }: Candidate,
  read: () => SnapshotTool | undefined,
): NonNullable<ToolRow['candidate']>['standing'] {
  if (state !== 'accepted') return null;
  const tool = read();
  const own = edits.filter((edit) => edit.toolId === id);
  const has = (text: 'newText' | 'oldText'): boolean =>
    tool !== undefined &&
    own.every((edit) =>
      edit.path === '/name'
        ? edit[text] === splitToolId(id).tool
        : textAt(tool, edit.path) === edit[text],
    );
  return has('newText') ? 'applied' : has('oldText') ? 'waiting' : 'out_of_date';
}
