import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { wireFormats, type WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import { ChatFailure, type ChatModel } from '../chatModel.ts';
import { contextTokensOf, oversizeReason } from '../request/contextSize.ts';
import type { WireTools } from './wireTools.ts';

/**
 * Throws ChatFailure for a request with too many tools, or too large for the model's context, before
 * anything is sent.
 */
export function rejectOversize(
  texts: readonly string[],
  wireApi: WireApi,
  tools: WireTools,
  written: readonly object[],
  {
    configuration,
    sent,
    thing,
  }: { configuration: ModelConfiguration; sent: ChatModel['sent']; thing: string },
): void {
  const { maxTools, maxDeferredTools } = wireFormats[wireApi];
  const limit = sent['defer_tools'] === true ? maxDeferredTools : maxTools;
  if (tools.offered.length > limit) {
    throw new ChatFailure(
      'provider',
      `${tools.offered.length} tools are offered, and ${thing} takes ${limit}. Nothing was ` +
        'sent. Choose fewer servers for this case.',
    );
  }
  // The model doesn't see deferred tools.
  const large = oversizeReason(
    sent['defer_tools'] === true ? [] : written,
    texts,
    contextTokensOf(configuration),
  );
  if (large !== null)
    throw new ChatFailure(
      'provider',
      `${large} Nothing was sent. Choose fewer servers for this case, or a model that takes more.`,
    );
}
