import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ReceivedTool, RejectedTool } from '../../../src-shared/domain/tool.ts';
import type { McpLimits } from './limits.ts';
import { readTool } from './parseTool.ts';
import { faults } from './troubles.ts';

export interface ListOptions {
  server: string;
  limits: McpLimits;
  /** Requests one page. */
  ask(params: JsonObject): Promise<JsonObject>;
  signal: AbortSignal;
}

/**
 * Requests every page of tools/list and parses each tool by itself. Returns the whole list or
 * throws an error that names the limit.
 */
export async function listAllTools(
  options: ListOptions,
): Promise<{ tools: ReceivedTool[]; rejected: RejectedTool[] }> {
  const { server, limits, signal } = options;
  const tools: ReceivedTool[] = [];
  const rejected: RejectedTool[] = [];
  const names = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let count = 0;
  let bytes = 0;
  const yieldIfDue = createYielder();
  for (let page = 1; ; page += 1) {
    if (page > limits.listPages)
      throw faults.overLimit(`the list has more than ${limits.listPages} pages`);
    const answer = await options.ask(cursor === undefined ? {} : { cursor });
    // A large answer was just parsed in this turn.
    await yieldIfDue();
    const list = answer['tools'];
    if (!Array.isArray(list)) throw faults.wrongShape('has no list of tools');
    for (const value of list) {
      count += 1;
      if (count > limits.listTools)
        throw faults.overLimit(`the list has more than ${limits.listTools} tools`);
      const tool = readTool(value, server, count);
      // Writing the text of a large tool takes as long as checking it.
      await yieldIfDue();
      if ('reason' in tool) rejected.push(tool);
      else if (names.has(tool.name))
        rejected.push({
          server,
          name: tool.name,
          reason: 'The server lists another tool with this name first; that one is kept.',
        });
      else {
        const raw = JSON.stringify(value);
        names.add(tool.name);
        tools.push({ tool, raw });
        bytes += Buffer.byteLength(raw);
        if (bytes > limits.listBytes)
          throw faults.overLimit(`the list is larger than ${formatBytes(limits.listBytes)}`);
      }
      await yieldIfDue();
      signal.throwIfAborted();
    }
    const next = answer['nextCursor'];
    if (next === undefined || next === null) return { tools, rejected };
    if (typeof next !== 'string') throw faults.wrongShape("has a cursor that isn't a string");
    // An empty string is a valid cursor.
    if (cursors.has(next))
      throw faults.overLimit('the server sent the same cursor twice, so the list would never end');
    cursors.add(next);
    cursor = next;
  }
}
