import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { ChatModel, ChatRequest, Conversation, ConversationRequest } from '../chatModel.ts';
import { replyTrouble, type AskedWith } from '../replyTrouble.ts';
import { recordingKey } from '../replay/recordingKey.ts';
import type { RefusedSettings } from '../request/refusedSettings.ts';
import type { AnswerCache } from './answerCache.ts';
import { markAsCached } from './markAsCached.ts';

/**
 * A model whose answers come from a cache where it has them. Only whole answers are kept: failures
 * and replies that can't be scored are asked for again. Conversations of tasks are never cached.
 */
export function createCachingModel(
  model: ChatModel,
  configuration: Pick<ModelConfiguration, 'model' | 'baseUrl' | 'command' | 'agent'>,
  cache: AnswerCache,
  { secretsHash, refused }: { secretsHash: string | null; refused: RefusedSettings },
): ChatModel {
  const offered = new WeakMap<readonly SnapshotTool[], string>();
  /** The tools as they are sent, so that a version that adapts them differently asks again. */
  const hashOf = (tools: readonly SnapshotTool[]): string => {
    const known = offered.get(tools) ?? sha256(canonicalJson(model.describeTools(tools)));
    offered.set(tools, known);
    return known;
  };
  const keyOf = (request: ChatRequest): string =>
    sha256(
      canonicalJson({
        request: recordingKey({ ...request, model: configuration.model, sent: model.sent }),
        provider: model.provider,
        baseUrl: configuration.baseUrl,
        ...(configuration.command && { command: configuration.command }),
        ...(configuration.agent && { agent: configuration.agent }),
        ...(secretsHash !== null && { secrets: secretsHash }),
        wireApi: model.wireApi,
        tools: hashOf(request.tools),
        maxTurns: request.turns?.maximum ?? 1,
      }),
    );
  return {
    ...(model.countInput && { countInput: (request, signal) => countWith(model, request, signal) }),
    ...(model.converse && { converse: (request) => converseWith(model, request) }),
    provider: model.provider,
    wireApi: model.wireApi,
    sent: model.sent,
    get refused() {
      return refused.list;
    },
    describeTools: (tools) => model.describeTools(tools),
    excludedTools: (tools) => model.excludedTools?.(tools) ?? [],
    async choose(request, signal, account) {
      signal.throwIfAborted();
      const key = keyOf(request);
      const known = await cache.get(key);
      const asked = { tools: request.tools, sent: model.sent };
      // Earlier versions kept calls as text; the endpoint may have its parser by now.
      if (known && isWhole(known.observation, asked)) {
        refused.learnFrom(known.observation);
        return { ...known, observation: markAsCached(known.observation) };
      }
      const reply = await model.choose(request, signal, account);
      if (isWhole(reply.observation, asked)) await cache.put(key, reply);
      return reply;
    },
    close: () => model.close(),
  };
}

/** A refusal may be a mood of the provider; what ended early may end well next time. */
const isWhole = (observation: Observation, asked: AskedWith): boolean =>
  (observation.calls.length > 0 || observation.stopReason === 'answered') &&
  replyTrouble(observation, asked) === null;

async function countWith(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<number> {
  if (!model.countInput) throw new Error(`${model.provider} counts no tokens.`);
  return model.countInput(request, signal);
}

function converseWith(model: ChatModel, request: ConversationRequest): Conversation {
  if (!model.converse) throw new Error(`${model.provider} holds no conversation.`);
  return model.converse(request);
}
