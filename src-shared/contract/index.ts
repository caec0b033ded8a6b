import type { ContractRouterClient } from '@orpc/contract';
import { evaluationsContract, type UnitTopics } from './evaluations.ts';
import { keysContract } from './keys.ts';
import { modelsContract } from './models.ts';
import { optimizationsContract } from './optimizations.ts';
import { reportsContract } from './reports.ts';
import { resultsContract } from './results.ts';
import { retrievalContract } from './retrieval.ts';
import { candidatesContract } from './candidates.ts';
import { savingContract } from './saving.ts';
import { securityContract } from './security.ts';
import { serversContract } from './servers.ts';
import { sessionsContract } from './sessions.ts';
import { settingsContract } from './settings.ts';
import { similarityContract } from './similarity.ts';
import { suitesContract } from './suites.ts';
import { tokensContract } from './tokens.ts';
import { toolsContract } from './tools.ts';
import { workshopContract } from './workshop.ts';

/** The contract between core and screen. Every host serves exactly this. */
export const contract = {
  servers: serversContract,
  suites: suitesContract,
  evaluations: evaluationsContract,
  similarity: similarityContract,
  candidates: candidatesContract,
  optimizations: optimizationsContract,
  results: resultsContract,
  reports: reportsContract,
  saving: savingContract,
  security: securityContract,
  workshop: workshopContract,
  settings: settingsContract,
  keys: keysContract,
  models: modelsContract,
  retrieval: retrievalContract,
  tokens: tokensContract,
  tools: toolsContract,
  sessions: sessionsContract,
};
export type Contract = typeof contract;

/** The topic of evaluations as functions, for callers of each unit. */
export interface UnitClients {
  case: ContractRouterClient<UnitTopics['called']['case']>;
  task: ContractRouterClient<UnitTopics['called']['task']>;
}
/** The contract as functions. What `evaluations` answers follows from the unit that is asked for. */
export type Client = {
  evaluations: UnitClients['case'] & UnitClients['task'];
} & ContractRouterClient<Contract>;
