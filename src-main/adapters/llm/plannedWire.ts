import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { messagesWireApi } from './anthropic/messagesFormat.ts';
import type { ChatModel, ToolMapping } from './chatModel.ts';
import { chatWireApi } from './compatible/chatFormat.ts';
import { describeTools, mapTools } from './openChatModel.ts';
import { responsesWireApi } from './openai/responsesFormat.ts';
import { contextTokensOf } from './request/contextSize.ts';
import { maxTools } from './wire/wireModel.ts';

export interface PlannedWire {
  sent: ChatModel['sent'];
  mapTools(tools: readonly SnapshotTool[]): ToolMapping;
  /** One tool as text, for counting. */
  describeTool(tool: SnapshotTool): string;
  maxTools: number;
  contextTokens: number | null;
  /**
   * The wire format has a call that counts; whether an endpoint answers it is only known by asking.
   */
  countable: boolean;
}

/**
 * How tools would be put before a model; null where nothing is sent. Needs no key, and asks nobody.
 */
export function plannedWire(configuration: ModelConfiguration): PlannedWire | null {
  const wireApi = wireApiOf(configuration);
  if (wireApi === null) return null;
  const deferred = configuration.deferTools && wireApi !== chatWireApi;
  const sent: ChatModel['sent'] = {
    strict: configuration.strict && wireApi !== messagesWireApi,
    defer_tools: deferred ? true : null,
  };
  const alone = { ...sent, defer_tools: null };
  return {
    sent,
    mapTools: (tools) => mapTools(wireApi, tools, sent),
    describeTool: (tool) => JSON.stringify(describeTools(wireApi, [tool], alone)),
    maxTools: deferred && wireApi === messagesWireApi ? Number.POSITIVE_INFINITY : maxTools,
    contextTokens: contextTokensOf(configuration),
    countable: wireApi !== chatWireApi,
  };
}

function wireApiOf({ provider, api }: ModelConfiguration): string | null {
  if (provider === 'anthropic') return messagesWireApi;
  if (provider === 'openai') return api === 'chat' ? chatWireApi : responsesWireApi;
  if (provider === 'openai-compatible') return api === 'responses' ? responsesWireApi : chatWireApi;
  return null;
}
