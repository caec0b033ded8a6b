import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  Agreement,
  TaskEvaluationSettings,
  TaskPlan,
} from '../../../src-shared/domain/taskEvaluation.ts';

import { isReplay } from './taskSources.ts';

/**
 * Throws INVALID if a `full` evaluation uses a server, or any evaluation starts a program, that the
 * person did not agree to. Only a request carries the agreement: no suite file can give it.
 */
export function requireConsent(
  settings: Pick<TaskEvaluationSettings, 'mode' | keyof Agreement | 'models'>,
  { servers, programs }: Pick<TaskPlan, 'servers' | 'programs'>,
): void {
  const { mode, agreedServers, agreedPrograms = [] } = settings;
  const [unknown] = programs.filter((program) => !agreedPrograms.includes(program));
  if (unknown !== undefined)
    throw new ServiceError('INVALID', {
      thing: 'The suite',
      cause: `It starts programs on this computer: ${unknown}.`,
      nextStep: 'Look at them, then agree to them, or run tasks without programs.',
      field: 'agreedPrograms',
    });
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
