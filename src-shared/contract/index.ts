import { evaluationsContract } from './evaluations.ts';
import { retrievalContract } from './retrieval.ts';
import { serversContract } from './servers.ts';
import { settingsContract } from './settings.ts';
import { suitesContract } from './suites.ts';
import { tokensContract } from './tokens.ts';

/** The one contract between core and screen; every host serves exactly this. */
export const contract = {
  servers: serversContract,
  suites: suitesContract,
  evaluations: evaluationsContract,
  settings: settingsContract,
  retrieval: retrievalContract,
  tokens: tokensContract,
};
export type Contract = typeof contract;
