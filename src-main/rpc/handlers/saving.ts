import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the saving topic with the method of the service that answers it. */
export function savingHandlers(saving: Services['saving']): Handlers<'saving'> {
  return {
    save: os.saving.save.handler(({ input, context }) =>
      endWithReader(saving.save(input, context), context.signal),
    ),
    showInFolder: os.saving.showInFolder.handler(({ input }) => saving.showInFolder(input)),
  };
}
