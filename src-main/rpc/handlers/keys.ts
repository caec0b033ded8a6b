import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the keys topic with the method of the service that answers it. */
export function keysHandlers(keys: Services['keys']): Handlers<'keys'> {
  return {
    list: os.keys.list.handler(() => keys.list()),
    status: os.keys.status.handler(({ input }) => keys.status(input)),
    set: os.keys.set.handler(({ input }) => keys.set(input)),
    useFile: os.keys.useFile.handler(({ input }) => keys.useFile(input)),
    unlock: os.keys.unlock.handler(({ input }) => keys.unlock(input)),
    changePassphrase: os.keys.changePassphrase.handler(({ input }) => keys.changePassphrase(input)),
    leaveFile: os.keys.leaveFile.handler(({ input }) => keys.leaveFile(input)),
    remove: os.keys.remove.handler(({ input }) => keys.remove(input)),
  };
}
