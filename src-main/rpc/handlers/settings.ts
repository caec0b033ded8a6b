import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the settings topic with the method of the service that answers it. */
export function settingsHandlers(settings: Services['settings']): Handlers<'settings'> {
  return {
    get: os.settings.get.handler(() => settings.get()),
    update: os.settings.update.handler(({ input }) => settings.update(input)),
    environment: os.settings.environment.handler(() => settings.environment()),
    info: os.settings.info.handler(() => settings.info()),
    log: os.settings.log.handler(({ input }) => settings.log(input)),
    find: os.settings.find.handler(({ input }) => settings.find(input)),
    sample: os.settings.sample.handler(() => settings.sample()),
    addSample: os.settings.addSample.handler(() => settings.addSample()),
    removeSample: os.settings.removeSample.handler(() => settings.removeSample()),
    undo: os.settings.undo.handler(({ input }) => settings.undo(input)),
  };
}
