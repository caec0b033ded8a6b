import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the models topic with the method of the service that answers it. */
export function modelsHandlers(models: Services['models']): Handlers<'models'> {
  return {
    list: os.models.list.handler(({ input, context }) => models.list(input, context)),
    presets: os.models.presets.handler(() => models.presets()),
    probe: os.models.probe.handler(({ input, context }) => models.probe(input, context)),
    setSecret: os.models.setSecret.handler(({ input }) => models.setSecret(input)),
    removeSecret: os.models.removeSecret.handler(({ input }) => models.removeSecret(input)),
    prices: os.models.prices.handler(() => models.prices()),
    setPrice: os.models.setPrice.handler(({ input }) => models.setPrice(input)),
    removePrice: os.models.removePrice.handler(({ input }) => models.removePrice(input)),
    deferrals: os.models.deferrals.handler(({ input }) => models.deferrals(input)),
  };
}
