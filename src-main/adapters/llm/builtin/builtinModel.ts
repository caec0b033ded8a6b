import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../chatModel.ts';
import {
  chooseTool,
  prepareTools,
  scoreFloor,
  slotsOfTool,
  toolWordsOf,
  type Choice,
  type PreparedTools,
} from './chooseTool.ts';
import { fillParameters } from './fillParameters.ts';
import { readQuery, withoutValues, type QueryReading } from './queryReading.ts';

export const builtinWireApi = 'builtin';

/** The tools as this provider sees them: pure and deterministic. */
export function describeBuiltinTools(tools: readonly SnapshotTool[]): JsonValue[] {
  return tools.map(({ server, name, description, inputSchema }) => ({
    server,
    name,
    description,
    inputSchema,
  }));
}

/**
 * A program in the place of a model: the `default` ranker picks, rules fill the parameters, at most
 * one call. It needs no key and no network, is deterministic, and knows nothing of the expectation.
 * Earlier messages and the system prompt serve only to find named values, never to pick.
 */
export function createBuiltinModel(): ChatModel {
  // The same list of tools is the same object for a whole evaluation.
  const prepared = new WeakMap<readonly SnapshotTool[], PreparedTools>();
  let systemReading: QueryReading | null = null;

  const prepare = (tools: readonly SnapshotTool[]): PreparedTools => {
    const known = prepared.get(tools);
    if (known) return known;
    const made = prepareTools(tools);
    prepared.set(tools, made);
    return made;
  };
  const contextOf = (request: ChatRequest): QueryReading[] => {
    const messages = request.messages.toReversed().map((message) => readQuery(message.content));
    if (request.system === null) return messages;
    if (systemReading?.text !== request.system) systemReading = readQuery(request.system);
    return [...messages, systemReading];
  };

  return {
    provider: 'builtin',
    wireApi: builtinWireApi,
    sent: {},
    describeTools: describeBuiltinTools,
    async choose(request, signal) {
      signal.throwIfAborted();
      const began = performance.now();
      const tools = prepare(request.tools);
      const reading = readQuery(request.query);
      const choice = chooseTool(tools, withoutValues(reading));
      if (!choice.tool) return reply(request, choice, null, began);
      const args = fillParameters({
        slots: slotsOfTool(tools, choice.tool),
        reading,
        context: contextOf(request),
        isToolWord: toolWordsOf(choice.tool),
      });
      return reply(request, choice, { tool: choice.tool, args }, began);
    },
    async close() {
      // Nothing is held open.
    },
  };
}

function reply(
  request: ChatRequest,
  choice: Choice,
  call: { tool: SnapshotTool; args: JsonObject } | null,
  began: number,
): ChatReply {
  const calls: ActualCall[] = call
    ? [
        {
          id: 'call_1',
          server: call.tool.server,
          tool: call.tool.name,
          name: call.tool.name,
          arguments: call.args,
          argumentsText: null,
        },
      ]
    : [];
  return {
    observation: {
      calls,
      text: null,
      reasoning: choice.reasoning,
      stopReason: call ? 'called' : 'answered',
      confidence: { score: choice.confidence, method: 'margin' },
      usage: null,
    },
    request: {
      query: request.query,
      system: request.system,
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      tools: [],
    },
    response: {
      ranking: choice.ranking.map(({ tool, score }) => ({
        tool: toolId(tool.server, tool.name),
        score,
      })),
      floor: scoreFloor,
      call: call ? { server: call.tool.server, name: call.tool.name, arguments: call.args } : null,
    },
    elapsedMs: performance.now() - began,
  };
}
