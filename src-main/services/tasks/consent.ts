import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  TaskEvaluationSettings,
  TaskPlan,
} from '../../../src-shared/domain/taskEvaluation.ts';

import { isReplay } from './taskSources.ts';

/**
 * Throws INVALID if a `full` evaluation uses a server that the person did not agree to. Only a
 * request carries the agreement: no suite file can give it.
 */
export function requireConsent(
  settings: Pick<TaskEvaluationSettings, 'mode' | 'agreedServers' | 'models'>,
  { servers }: Pick<TaskPlan, 'servers'>,
): void {
  const { mode, agreedServers } = settings;
  if (mode !== 'full' || isReplay(settings)) return;
  const missing = servers.filter((server) => !agreedServers.includes(server));
  if (missing.length === 0) return;
  throw new ServiceError('INVALID', {
    thing: 'Execution mode full',
    cause: `It executes every tool that a model calls on ${missing.join(', ')}.`,
    nextStep: 'Agree to these servers, or choose execution mode stub or read-only.',
    field: 'agreedServers',
  });
}
