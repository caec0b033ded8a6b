import { evaluationsContract } from './evaluations.ts';
import { resultsContract } from './results.ts';
import { rewritesContract } from './rewrites.ts';
import { serversContract } from './servers.ts';
import { settingsContract } from './settings.ts';
import { similarityContract } from './similarity.ts';
import { suitesContract } from './suites.ts';

/** The one contract between core and screen; every host serves exactly this. */
export const contract = {
  servers: serversContract,
  suites: suitesContract,
  evaluations: evaluationsContract,
  similarity: similarityContract,
  rewrites: rewritesContract,
  results: resultsContract,
  settings: settingsContract,
};
export type Contract = typeof contract;
