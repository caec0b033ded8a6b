import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { ToolsToFreeze } from '../../store/servers/toolSnapshots.ts';

/**
 * The tools that a replay is judged with: those that its recordings were made with. Null if a model
 * is asked now or a recording has none, so that servers have to list their tools.
 */
export function recordedTools(
  models: readonly Pick<ChatModel, 'replayTools'>[],
): ToolsToFreeze | null {
  const found = models.map((model) => model.replayTools?.() ?? null);
  const [first] = found;
  // Recordings of one evaluation hold the same tools; a difference shows as runs that are missing.
  if (!first || found.includes(null) || first.servers.length === 0) return null;
  return {
    servers: first.servers,
    tools: first.tools.map((tool) => ({ serverId: null, tool })),
  };
}
