import type { Router } from '@orpc/server';
import { contract, type Contract } from '../../src-shared/contract/index.ts';
import type { Services } from '../services/services.ts';
import { evaluationsHandlers } from './handlers/evaluations.ts';
import { taskEvaluationsHandlers } from './handlers/taskEvaluations.ts';
import { keysHandlers } from './handlers/keys.ts';
import { modelsHandlers } from './handlers/models.ts';
import { optimizationsHandlers } from './handlers/optimizations.ts';
import { reportsHandlers } from './handlers/reports.ts';
import { resultsHandlers } from './handlers/results.ts';
import { retrievalHandlers } from './handlers/retrieval.ts';
import { rewritesHandlers } from './handlers/rewrites.ts';
import { savingHandlers } from './handlers/saving.ts';
import { securityHandlers } from './handlers/security.ts';
import { serversHandlers } from './handlers/servers.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { similarityHandlers } from './handlers/similarity.ts';
import { suitesHandlers } from './handlers/suites.ts';
import { tokensHandlers } from './handlers/tokens.ts';
import { workshopHandlers } from './handlers/workshop.ts';
import type { RpcContext } from './implementer.ts';

export type RpcRouter = Router<Contract, RpcContext>;

/**
 * The names of every procedure, `topic.name`: what tests and guards go over, so that a new
 * procedure is never left out.
 */
export const procedureNames: readonly string[] = Object.entries(contract).flatMap(
  ([topic, procedures]) => Object.keys(procedures).map((name) => `${topic}.${name}`),
);

/** The handlers of every procedure of the contract; a missing one does not compile. */
export function createRouter(services: Services): RpcRouter {
  return {
    servers: serversHandlers(services.servers),
    suites: suitesHandlers(services.suites),
    evaluations: evaluationsHandlers(services.evaluations),
    taskEvaluations: taskEvaluationsHandlers(services.taskEvaluations),
    similarity: similarityHandlers(services.similarity),
    rewrites: rewritesHandlers(services.rewrites),
    optimizations: optimizationsHandlers(services.optimizations),
    results: resultsHandlers(services.results),
    reports: reportsHandlers(services.reports),
    saving: savingHandlers(services.saving),
    security: securityHandlers(services.security),
    workshop: workshopHandlers(services.workshop),
    settings: settingsHandlers(services.settings),
    keys: keysHandlers(services.keys),
    models: modelsHandlers(services.models),
    retrieval: retrievalHandlers(services.retrieval),
    tokens: tokensHandlers(services.tokens),
  };
}
