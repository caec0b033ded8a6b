import { pricedModel, type PricedModel } from '../../../src-shared/domain/price.ts';
import { readRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

interface RawPrice {
  provider: string;
  model: string;
  input_usd: number;
  output_usd: number;
  created_at: string;
}

/** Prices that the user gave. */
export function openModelPrices({ db, clock, transaction }: StoreContext) {
  const all = db.prepare<[], RawPrice>('SELECT * FROM model_prices ORDER BY provider, model');
  const put = db.prepare<
    [RawPrice]
  >(`INSERT INTO model_prices (provider, model, input_usd, output_usd, created_at) VALUES (:provider, :model, :input_usd, :output_usd, :created_at)
    ON CONFLICT (provider, model) DO UPDATE SET input_usd = excluded.input_usd, output_usd = excluded.output_usd, created_at = excluded.created_at`);
  const remove = db.prepare<[string, string]>(
    'DELETE FROM model_prices WHERE provider = ? AND model = ?',
  );
  const list = (): PricedModel[] =>
    all.all().map((row) =>
      readRow(pricedModel, `The price of ${row.provider} ${row.model}`, () => ({
        provider: row.provider,
        model: row.model,
        inputUsd: row.input_usd,
        outputUsd: row.output_usd,
        source: 'own',
        date: row.created_at.slice(0, 10),
      })),
    );
  return {
    list,
    put(price: Pick<PricedModel, 'provider' | 'model' | 'inputUsd' | 'outputUsd'>): void {
      transaction(() =>
        put.run({
          provider: price.provider,
          model: price.model,
          input_usd: price.inputUsd,
          output_usd: price.outputUsd,
          created_at: clock.now(),
        }),
      );
    },
    remove: (provider: string, model: string): boolean =>
      transaction(() => remove.run(provider, model).changes > 0),
  };
}
export type ModelPricesStore = ReturnType<typeof openModelPrices>;
