import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { OpenedModel } from './openModels.ts';

/**
 * Throws INVALID if the program of an agent is another version than that of the runs so far: their
 * results would be those of two agents under one name.
 */
export function requireSameProgram(
  { configuration, model }: OpenedModel,
  before: Pick<ModelSettings, 'sent'> | null,
): void {
  const was = before?.sent['program_version'] ?? null;
  const is = model.sent['program_version'] ?? null;
  if (was === null || was === is) return;
  throw new ServiceError('INVALID', {
    thing: `Agent ${configuration.model}`,
    cause:
      `The evaluation was started with version ${was}, and ` +
      (is === null
        ? "the program doesn't say its version now."
        : `version ${is} is installed now.`),
    nextStep: `Install version ${was} to resume, or start a new evaluation.`,
  });
}
