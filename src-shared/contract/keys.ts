import { z } from 'zod';
import { keyList, keyProvider, keyStatus, keyText } from '../domain/keys.ts';
import { procedure } from './base.ts';

const status = z.object({ status: keyStatus });

/** Keys go in and never come out. */
export const keysContract = {
  list: procedure.output(keyList),
  status: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
  set: procedure.input(z.strictObject({ provider: keyProvider, key: keyText })).output(status),
  /** The answer may still be `set`: where the environment gives a key too. */
  remove: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
};
