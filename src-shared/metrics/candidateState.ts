import type { Candidate, CandidateState } from '../domain/candidate.ts';
import { toolId as idOf, splitToolId } from '../domain/labels.ts';
import { nameAfter, textAt, type TextEdit } from '../domain/textEdit.ts';
import type { Tool } from '../domain/tool.ts';

type OfferedTool = Pick<Tool, 'server' | 'name' | 'title' | 'description' | 'inputSchema'>;

/**
 * The tools that a server offers now; null where that isn't known, because it was never listed or
 * isn't registered.
 */
export type OfferedTools = (server: string) => readonly OfferedTool[] | null;

/** Where an edited text stands now. */
type TextPlace = 'old' | 'new' | 'other' | 'unknown';

function placeOf(edits: readonly TextEdit[], edit: TextEdit, offered: OfferedTools): TextPlace {
  const { toolId, path, oldText, newText } = edit;
  const { server } = splitToolId(toolId);
  const tools = offered(server);
  if (tools === null) return 'unknown';
  const find = (id: string): OfferedTool | undefined =>
    tools.find((tool) => idOf(tool.server, tool.name) === id);
  const renamed = find(idOf(server, nameAfter(edits, toolId)));
  const tool = find(toolId) ?? renamed;
  if (tool === undefined) return 'other';
  const text = textAt(tool, path);
  return text === newText ? 'new' : text === oldText ? 'old' : 'other';
}

/**
 * The state of a candidate of a tool, from what is stored and from what the server offers now.
 *
 * - `searching`, `proving`: its runs are under way, whatever the server offers.
 * - `applied`: each edited text of the server equals the candidate's.
 * - `out_of_date`: an edited text is neither what the candidate was made from nor what it makes of
 *   it, or some of its texts are applied and others are not, or the tool is gone.
 * - otherwise the stored state, also where nothing is known of the server's tools.
 *
 * Texts that the candidate doesn't edit don't count: a tool may gain a parameter and keep its fix.
 */
export function candidateState(
  stored: Candidate['state'],
  edits: readonly TextEdit[],
  offered: OfferedTools,
): CandidateState {
  if (stored === 'searching' || stored === 'proving') return stored;
  const places = new Set(edits.map((edit) => placeOf(edits, edit, offered)));
  places.delete('unknown');
  const [only] = places;
  if (only === undefined) return stored;
  if (places.size > 1 || only === 'other') return 'out_of_date';
  return only === 'new' ? 'applied' : stored;
}
