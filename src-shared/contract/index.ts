import { evaluationsContract } from './evaluations.ts';
import { keysContract } from './keys.ts';
import { modelsContract } from './models.ts';
import { serversContract } from './servers.ts';
import { settingsContract } from './settings.ts';
import { suitesContract } from './suites.ts';

/** The one contract between core and screen; every host serves exactly this. */
export const contract = {
  servers: serversContract,
  suites: suitesContract,
  evaluations: evaluationsContract,
  settings: settingsContract,
  keys: keysContract,
  models: modelsContract,
};
export type Contract = typeof contract;
