import { evaluationsContract } from './evaluations.ts';
import { resultsContract } from './results.ts';
import { securityContract } from './security.ts';
import { serversContract } from './servers.ts';
import { settingsContract } from './settings.ts';
import { suitesContract } from './suites.ts';
import { workshopContract } from './workshop.ts';

/** The one contract between core and screen; every host serves exactly this. */
export const contract = {
  servers: serversContract,
  suites: suitesContract,
  evaluations: evaluationsContract,
  results: resultsContract,
  security: securityContract,
  workshop: workshopContract,
  settings: settingsContract,
};
export type Contract = typeof contract;
