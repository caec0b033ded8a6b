import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  providerTable,
  type ReasoningEffort,
  type RemoteProvider,
} from '../../../../src-shared/domain/provider.ts';
import { wireFormats, type WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import type { ChatModel } from '../chatModel.ts';

/**
 * The settings that providers have in common, as they are sent; null = not sent. A setting that the
 * wire format doesn't have is not sent. Throws ServiceError INVALID for a reasoning effort that the
 * provider doesn't accept.
 */
export function sentSettings(
  configuration: ModelConfiguration,
  provider: RemoteProvider,
  wireApi: WireApi,
  maxTurns: number,
): ChatModel['sent'] {
  const { model, reasoningEffort, strict, deferTools, confidence } = configuration;
  const efforts: readonly ReasoningEffort[] = providerTable[provider].efforts;
  const format = wireFormats[wireApi];
  if (reasoningEffort !== null && !efforts.includes(reasoningEffort)) {
    throw new ServiceError('INVALID', {
      thing: `Model ${model}`,
      cause:
        `Its reasoning effort is "${reasoningEffort}", and ${provider} takes ` +
        `${efforts.join(', ')}.`,
      nextStep: 'Choose one of these, or none.',
      field: 'reasoningEffort',
    });
  }
  const takenConfidence = confidence === 'logprobs' && !format.logprobs ? 'none' : confidence;
  return {
    reasoning_effort: reasoningEffort,
    strict: format.strict && strict ? true : null,
    defer_tools: format.deferTools && deferTools ? true : null,
    confidence: takenConfidence === 'none' ? null : takenConfidence,
    max_turns: maxTurns > 1 ? maxTurns : null,
  };
}
