import { toolId } from '../../../src-shared/domain/labels.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { SnapshotTool, Tool } from '../../../src-shared/domain/tool.ts';
import { advise } from '../../analysis/advice/advise.ts';
import type { EarlierText } from '../../analysis/advice/restore.ts';
import type { Store } from '../../store/store.ts';

/** After any time that is stored. */
const always = '9999';

/**
 * What servers described their tools with before, by ID of the tool, newest first.
 *
 * @param until the last moment that counts; what is listed later changes nothing then
 */
export function earlierTexts(
  store: Pick<Store, 'serverListings'>,
  tools: readonly Pick<Tool, 'server' | 'name' | 'description'>[],
  until = always,
): (id: string) => readonly EarlierText[] {
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  return (id) => {
    const tool = byId.get(id);
    return tool === undefined
      ? []
      : store.serverListings.earlierTexts({
          server: tool.server,
          tool: tool.name,
          current: tool.description,
          until,
        });
  };
}

/** What the tools alone advise for one of them, without any result. */
export const adviceFromTools = (
  store: Pick<Store, 'serverListings'>,
  tools: readonly SnapshotTool[],
  id: string,
): Advice[] =>
  advise({ tools: [...tools], focus: [id], earlier: earlierTexts(store, tools) }).filter(
    ({ toolIds }) => toolIds.includes(id),
  );
