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
  toolWordTest,
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
 * A program instead of a model: the `default` ranker chooses a tool and rules fill its parameters,
 * in at most one call. It needs no key and no network, is deterministic, and knows nothing of the
 * expectation. Earlier messages and the system prompt give named values, but never choose a tool.
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
      const startedAt = performance.now();
      const tools = prepare(request.tools);
      const reading = readQuery(request.query);
      const choice = chooseTool(tools, withoutValues(reading));
      if (!choice.tool) return reply(request, choice, null, startedAt);
      const args = fillParameters({
        slots: slotsOfTool(tools, choice.tool),
        reading,
        context: contextOf(request),
        isToolWord: toolWordTest(choice.tool),
      });
      return reply(request, choice, { tool: choice.tool, args }, startedAt);
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
  startedAt: number,
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
    elapsedMs: performance.now() - startedAt,
  };
}
