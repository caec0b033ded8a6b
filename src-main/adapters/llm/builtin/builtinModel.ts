import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { type ActualCall, answered } from '../../../../src-shared/domain/observation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  Conversation,
  ConversationRequest,
} from '../chatModel.ts';
import { builtinWireApi, describeBuiltinTools } from './builtinFormat.ts';
import { BuiltinMemory } from './builtinMemory.ts';
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
import { readQuery, type QueryReading } from './queryReading.ts';

type Decide = (request: ChatRequest, memory?: BuiltinMemory) => ChatReply;

/**
 * A program instead of a model: ranker and rules choose a tool and fill its parameters, in at most
 * one call. It needs no key and no network, is deterministic, and knows nothing of the
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

  const decide: Decide = (request, memory) => {
    const startedAt = performance.now();
    const tools = prepare(request.tools);
    const reading = readQuery(request.query);
    const choice = chooseTool(tools, reading);
    if (!choice.tool) return reply(request, choice, null, startedAt);
    const slots = slotsOfTool(tools, choice.tool);
    const args = fillParameters({
      slots,
      reading,
      context: contextOf(request),
      isToolWord: toolWordTest(choice.tool),
    });
    const call = { tool: choice.tool, args: memory?.complete(slots, args) ?? args };
    return reply(request, choice, call, startedAt);
  };

  return {
    provider: 'builtin',
    wireApi: builtinWireApi,
    sent: {},
    describeTools: describeBuiltinTools,
    async choose(request, signal) {
      signal.throwIfAborted();
      return decide(request);
    },
    converse: (request) => converse(request, decide),
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

/**
 * A conversation by rules: one call per turn of the user, whose parameters may come from earlier
 * turns and from ids in earlier results, and then a text that quotes the result.
 */
function converse(setting: ConversationRequest, decide: Decide): Conversation {
  const memory = new BuiltinMemory();
  const messages = [...setting.messages];
  let called: string | null = null;
  return {
    async next(input, signal) {
      signal.throwIfAborted();
      if (input.by === 'user') {
        const decided = decide({ ...setting, messages: [...messages], query: input.text }, memory);
        messages.push({ role: 'user', content: input.text });
        called = decided.observation.calls[0]?.name ?? null;
        return called === null ? withText(decided, 'No tool fits this request.') : decided;
      }
      const [result] = input.results;
      const tool = called ?? '';
      if (result && !result.isError) memory.learn(tool, result.text);
      const quoted = result?.text ?? '';
      return withText(
        {
          observation: answered({}),
          request: { results: input.results.map((each) => ({ ...each })) },
          response: {},
          elapsedMs: 0,
        },
        result?.isError === true ? `${tool} failed: ${quoted}` : `${tool} returned: ${quoted}`,
      );
    },
  };
}

function withText(said: ChatReply, text: string): ChatReply {
  return { ...said, observation: { ...said.observation, text }, response: { text } };
}
