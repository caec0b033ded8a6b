import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { wireApiOf } from '../../../src-shared/domain/provider.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { wireFormats } from '../../../src-shared/domain/wireFormat.ts';
import type { ChatModel, ToolMapping } from './chatModel.ts';
import { describeTools, mapTools } from './openChatModel.ts';
import { contextTokensOf } from './request/contextSize.ts';

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
 * How tools would be put before a model; null exactly where nothing is sent over a network. It
 * needs no key and sends no request.
 */
export function plannedWire(configuration: ModelConfiguration): PlannedWire | null {
  const wireApi = wireApiOf(configuration);
  if (wireApi === null) return null;
  const format = wireFormats[wireApi];
  const deferred = configuration.deferTools && format.deferTools;
  const sent: ChatModel['sent'] = {
    strict: configuration.strict && format.strict,
    defer_tools: deferred ? true : null,
  };
  const alone = { ...sent, defer_tools: null };
  return {
    sent,
    mapTools: (tools) => mapTools(wireApi, tools, sent),
    describeTool: (tool) => JSON.stringify(describeTools(wireApi, [tool], alone)),
    maxTools: deferred ? format.maxDeferredTools : format.maxTools,
    contextTokens: contextTokensOf(configuration),
    countable: format.countsTokens,
  };
}
