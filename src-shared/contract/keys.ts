import { z } from 'zod';
import { keyList, keyProvider, keyStatus, keyText } from '../domain/keys.ts';
import { procedure } from './base.ts';

const status = z.object({ status: keyStatus });

/** API keys can be set but never read. */
export const keysContract = {
  list: procedure.output(keyList),
  status: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
  set: procedure.input(z.strictObject({ provider: keyProvider, key: keyText })).output(status),
  /** The status can still be `set`, if the environment has a key too. */
  remove: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
};
