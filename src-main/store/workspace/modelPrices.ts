import { pricedModel, type PricedModel } from '../../../src-shared/domain/price.ts';
import { readRow, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

const table = defineTable('model_prices', {
  provider: 'text',
  model: 'text',
  inputUsd: 'real',
  outputUsd: 'real',
  cacheReadUsd: 'real?',
  cacheWriteUsd: 'real?',
  createdAt: 'text',
});
type PriceRow = Row<typeof table>;

/** Prices that the user entered. */
export function openModelPrices({
  db,
  clock,
  transaction,
}: Pick<StoreContext, 'db' | 'clock' | 'transaction'>) {
  const all = db.prepare<[], PriceRow>(
    `SELECT ${table.columns} FROM model_prices ORDER BY provider, model`,
  );
  const put = db.prepare<[PriceRow]>(`${table.insert()}
    ON CONFLICT (provider, model) DO UPDATE SET ${table.assignmentsExcept('provider', 'model')}`);
  const remove = db.prepare<[string, string]>(
    'DELETE FROM model_prices WHERE provider = ? AND model = ?',
  );
  const list = (): PricedModel[] =>
    all.all().map(({ createdAt, cacheReadUsd, cacheWriteUsd, ...row }) =>
      readRow(pricedModel, `The price of ${row.provider} ${row.model}`, () => ({
        ...row,
        ...(cacheReadUsd !== null && { cacheReadUsd }),
        ...(cacheWriteUsd !== null && { cacheWriteUsd }),
        source: 'own',
        date: createdAt.slice(0, 10),
      })),
    );
  return {
    list,
    put(price: Omit<PricedModel, 'source' | 'date'>): void {
      const { provider, model, inputUsd, outputUsd } = price;
      const { cacheReadUsd = null, cacheWriteUsd = null } = price;
      transaction(() =>
        put.run({
          provider,
          model,
          inputUsd,
          outputUsd,
          cacheReadUsd,
          cacheWriteUsd,
          createdAt: clock.now(),
        }),
      );
    },
    remove: (provider: string, model: string): boolean =>
      transaction(() => remove.run(provider, model).changes > 0),
  };
}
export type ModelPricesStore = ReturnType<typeof openModelPrices>;
