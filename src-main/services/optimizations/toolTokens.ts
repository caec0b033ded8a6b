import { offeredTool, type Tool } from '../../../src-shared/domain/tool.ts';
import { loadEncoding } from '../../analysis/tokens/encodings.ts';
import { countTool } from '../../analysis/tokens/toolTokens.ts';
import { createYielder, type YieldIfDue } from '../../runtime/yieldToEventLoop.ts';

/** Tokens of a tool as it is offered, in cl100k_base. */
const tokensOfTool = (tool: Tool): number =>
  countTool(JSON.stringify(offeredTool(tool))).tokenCount;

/**
 * Counts tools, a thousand of which take half a second, with a turn for the event loop from time to
 * time. What it returns knows these tools, and counts any other when it is asked.
 */
export async function countToolTokens(
  tools: readonly Tool[],
  yieldIfDue: YieldIfDue = createYielder(),
): Promise<(tool: Tool) => number> {
  const known = new WeakMap<Tool, number>();
  await loadEncoding('cl100k_base', yieldIfDue);
  for (const tool of tools) {
    known.set(tool, tokensOfTool(tool));
    await yieldIfDue();
  }
  return (tool) => known.get(tool) ?? tokensOfTool(tool);
}
