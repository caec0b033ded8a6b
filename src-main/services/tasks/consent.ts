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
  requireAgreement(servers, agreedServers, {
    thing: 'Execution mode full',
    causeOf: (missing) => `It executes every tool that a model calls on ${missing}.`,
    nextStep: 'Agree to these servers, or choose execution mode stub or read-only.',
  });
}

/** Throws INVALID unless the person agreed to each of the servers. */
export function requireAgreement(
  servers: readonly string[],
  agreedServers: readonly string[],
  { causeOf, ...said }: { thing: string; causeOf: (missing: string) => string; nextStep: string },
): void {
  const missing = servers.filter((server) => !agreedServers.includes(server));
  if (missing.length > 0)
    throw new ServiceError('INVALID', {
      ...said,
      cause: causeOf(missing.join(', ')),
      field: 'agreedServers',
    });
}
