import type { ChatModel, Conversation, ConversationRequest } from '../chatModel.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { RecordedExchange } from '../../../../src-shared/domain/recordedExchange.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { RecordingFile } from './recordingFile.ts';
import { questionKey, recordingKey, taskRecordingKey } from './recordingKey.ts';

/**
 * A model that appends every answer to a recording before it returns it. Failures are not recorded:
 * a replay reports them as unknown.
 */
export function createRecordingModel(
  model: ChatModel,
  name: string,
  file: RecordingFile,
): ChatModel {
  const keys = new WeakMap<readonly SnapshotTool[], string>();
  /** The list of tools is written with the first answer that has it. */
  const toolsOf = (
    tools: readonly SnapshotTool[],
  ): Pick<RecordedExchange, 'toolsKey' | 'tools'> => {
    const known = keys.get(tools);
    if (known !== undefined) return { toolsKey: known };
    const list = tools.map(({ server, name: tool, hash }): [string, string, string] => [
      server,
      tool,
      hash,
    ]);
    const toolsKey = sha256(canonicalJson(list));
    keys.set(tools, toolsKey);
    return { toolsKey, tools: list };
  };
  return {
    provider: model.provider,
    wireApi: model.wireApi,
    sent: model.sent,
    get refused() {
      return model.refused ?? [];
    },
    describeTools: (tools) => model.describeTools(tools),
    excludedTools: (tools) => model.excludedTools?.(tools) ?? [],
    async choose(request, signal, account) {
      const reply = await model.choose(request, signal, account);
      await file.append({
        key: recordingKey({ ...request, model: name, sent: model.sent }),
        question: questionKey({ ...request, model: name, sent: model.sent }),
        ...toolsOf(request.tools),
        model: name,
        wireApi: model.wireApi,
        sent: model.sent,
        request: reply.request,
        response: reply.response,
        observation: reply.observation,
        elapsedMs: reply.elapsedMs,
      });
      return reply;
    },
    ...(model.converse && { converse: (request) => ownConversation(model, request) }),
    recordTools: (offered) => file.append({ key: 'tools', offered }),
    recordTask: (task, run) =>
      file.append({
        key: taskRecordingKey(task, name, model.sent),
        model: name,
        wireApi: model.wireApi,
        sent: model.sent,
        ...((model.refused ?? []).length > 0 && { refused: [...(model.refused ?? [])] }),
        mode: task.mode,
        task: run,
      }),
    async close() {
      try {
        await model.close();
      } finally {
        await file.close();
      }
    },
  };
}

/** A run is recorded as a whole at its end, so its conversation is the model's own. */
function ownConversation(model: ChatModel, request: ConversationRequest): Conversation {
  const conversation = model.converse?.(request);
  if (!conversation) throw new Error('The model has no conversations.');
  return conversation;
}
