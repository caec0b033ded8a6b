import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  providerTable,
  type ReasoningEffort,
  type RemoteProvider,
} from '../../../../src-shared/domain/provider.ts';
import { additionNames } from '../../../../src-shared/domain/requestAdditions.ts';
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
    ...sentAdditions(configuration),
  };
}

/** What a person added, as it was written: with references in place of credentials. */
function sentAdditions(configuration: ModelConfiguration): ChatModel['sent'] {
  return {
    ...Object.fromEntries(
      additionNames.flatMap((name) =>
        Object.keys(configuration[name]).length === 0
          ? []
          : [[name, canonicalJson(configuration[name])]],
      ),
    ),
    ...(configuration.stream && { stream: true }),
  };
}

/** The settings of a request whose fields a person's own ones replace, such as `tool_choice`. */
export function withOwnFields(
  sent: ChatModel['sent'],
  { body }: Pick<ModelConfiguration, 'body'>,
): ChatModel['sent'] {
  const own = Object.entries(body).filter(([name]) => name in sent);
  return {
    ...sent,
    ...Object.fromEntries(
      own.map(([name, value]) => [
        name,
        typeof value === 'object' || typeof value === 'bigint' ? canonicalJson(value) : value,
      ]),
    ),
  };
}
