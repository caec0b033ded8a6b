import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';

/** A recording keeps what its runs were offered, so that its replay needs no server. */
export async function recordTools(
  models: Iterable<ChatModel>,
  { toolSnapshots }: Pick<Store, 'toolSnapshots'>,
  { servers, tools }: ToolSnapshot,
): Promise<void> {
  for (const model of models)
    await model.recordTools?.({
      servers: servers
        .filter(({ status }) => status === 'listed')
        .map((listing) => ({ ...listing, serverId: null })),
      tools: tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
        tool,
        raw: toolSnapshots.raw(hash),
      })),
    });
}
