import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';

/**
 * The temperature to send; null where the configuration sends none, and for models that aren't
 * known to accept one, because newer models reject any request with it. Throws ServiceError INVALID where it is out of the provider's range.
 */
export function sentTemperature(
  { provider, model, temperature }: ModelConfiguration,
  { maximum, takenBy }: { maximum: number; takenBy: RegExp },
): number | null {
  if (temperature === null || !takenBy.test(model)) return null;
  if (temperature <= maximum) return temperature;
  throw new ServiceError('INVALID', {
    thing: `Model ${model}`,
    cause: `Its temperature is ${temperature}, and ${provider} takes 0 to ${maximum}.`,
    nextStep: `Choose at most ${maximum}.`,
    field: 'temperature',
  });
}
