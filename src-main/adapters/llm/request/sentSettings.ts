import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ModelConfiguration, ReasoningEffort } from '../../../../src-shared/domain/model.ts';
import type { ChatModel } from '../chatModel.ts';

export interface WireAbilities {
  efforts: readonly ReasoningEffort[];
  strict: boolean;
  deferTools: boolean;
  logprobs: boolean;
}

/**
 * The settings that every provider has in common, as they are really sent: null where they are not.
 * One that this provider or wire format has no place for is left out and shown so; a reasoning
 * effort out of its range is refused. Throws ServiceError INVALID.
 */
export function sentSettings(
  configuration: ModelConfiguration,
  abilities: WireAbilities,
  maxTurns: number,
): ChatModel['sent'] {
  const { provider, model, reasoningEffort, strict, deferTools, confidence } = configuration;
  if (reasoningEffort !== null && !abilities.efforts.includes(reasoningEffort)) {
    throw new ServiceError('INVALID', {
      thing: `Model ${model}`,
      cause: `Its reasoning effort is "${reasoningEffort}", and ${provider} takes ${abilities.efforts.join(', ')}.`,
      nextStep: 'Choose one of these, or none.',
      field: 'reasoningEffort',
    });
  }
  const takenConfidence = confidence === 'logprobs' && !abilities.logprobs ? 'none' : confidence;
  return {
    reasoning_effort: reasoningEffort,
    strict: abilities.strict && strict ? true : null,
    defer_tools: abilities.deferTools && deferTools ? true : null,
    confidence: takenConfidence === 'none' ? null : takenConfidence,
    max_turns: maxTurns > 1 ? maxTurns : null,
  };
}
