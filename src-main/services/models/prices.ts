import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { onFirstUse } from '../../../src-shared/domain/onFirstUse.ts';
import {
  price,
  pricedModel,
  type Price,
  type PricedModel,
} from '../../../src-shared/domain/price.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { ModelPricesStore } from '../../store/workspace/modelPrices.ts';

const priceFile = z.object({
  date: z.string(),
  prices: z.array(pricedModel.omit({ source: true })),
});

/** Model names may end in the date of their version. */
const datedName = /^(.*?)-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * Prices in US dollars per million tokens: those set by the user, then those of the program's dated
 * list. A dated model name without a
 * price of its own has the price of the name without the date.
 *
 * @param inherited what the user set in the workspace that a temporary one belongs to
 */
export function openPrices(
  store: Pick<ModelPricesStore, 'list'>,
  datasetsFolder: string,
  inherited: readonly PricedModel[] = [],
) {
  // Read for the first price that is asked for, not at each start.
  const list = onFirstUse(() => {
    const { date, prices } = priceFile.parse(
      JSON.parse(readFileSync(join(datasetsFolder, 'prices', 'prices_v1.json'), 'utf8')),
    );
    return { date, prices: prices.map((each): PricedModel => ({ ...each, source: 'list' })) };
  });
  const find = (list: readonly PricedModel[], provider: string, model: string) =>
    list.find((each) => each.provider === provider && each.model === model);
  const listOwn = (): PricedModel[] => {
    const own = store.list();
    return [...own, ...inherited.filter(({ provider, model }) => !find(own, provider, model))];
  };
  return {
    get date() {
      return list().date;
    },
    list(): PricedModel[] {
      const userPrices = listOwn();
      return [
        ...userPrices,
        ...list().prices.filter(({ provider, model }) => !find(userPrices, provider, model)),
      ];
    },
    /** Null when the model has no price. */
    of({ provider, model }: Pick<ModelConfiguration, 'provider' | 'model'>): Price | null {
      const userPrices = listOwn();
      const { prices: bundled } = list();
      const base = datedName.exec(model)?.[1] ?? model;
      const found =
        find(userPrices, provider, model) ??
        find(userPrices, provider, base) ??
        find(bundled, provider, model) ??
        find(bundled, provider, base);
      return found
        ? // Without provider and model, which are not part of a price.
          price.parse(found)
        : null;
    },
  };
}
export type Prices = ReturnType<typeof openPrices>;

/** For services without prices: no model has one. */
export const noPrices: Prices = { date: '', list: () => [], of: () => null };
