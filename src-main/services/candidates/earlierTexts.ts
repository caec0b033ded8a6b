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
  tools: readonly Tool[],
  until = always,
): (id: string) => readonly EarlierText[] {
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  return (id) => {
    const tool = byId.get(id);
    if (tool === undefined) return [];
    const { server, name, description, inputSchema, outputSchema, annotations } = tool;
    const call = withoutTexts([inputSchema, outputSchema, annotations]);
    return store.serverListings
      .earlierTexts({ server, tool: name, current: description, until })
      .map((text) => ({
        description: text.description,
        until: text.until,
        isSameCall: withoutTexts(JSON.parse(text.call)) === call,
      }));
  };
}

/** JSON without what is said of schemas; a parameter that is called "title" is no text. */
const withoutTexts = (value: unknown): string =>
  JSON.stringify(value, (key, each: unknown) =>
    (key === 'description' || key === 'title') && typeof each === 'string' ? undefined : each,
  );

/** What the tools alone advise for one of them, without any result. */
export const adviceFromTools = (
  store: Pick<Store, 'serverListings'>,
  tools: readonly SnapshotTool[],
  id: string,
): Advice[] =>
  advise({ tools: [...tools], focus: [id], earlier: earlierTexts(store, tools) }).filter(
    ({ toolIds }) => toolIds.includes(id),
  );
