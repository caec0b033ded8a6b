import { z } from 'zod';
import { refusedSetting, type RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import type { StoreContext } from '../storeContext.ts';

type ModelsTable = 'evaluation_models' | 'task_evaluation_models';

/** By id of model settings: what the endpoint refused in one evaluation. */
export type RefusedByModel = Readonly<Record<string, RefusedSetting[]>>;
const refusedByModel = z.record(z.string(), z.array(refusedSetting));

/** SQL: the refused settings of an evaluation `e` by model, as JSON. */
export const refusedColumn = (table: ModelsTable): string =>
  `(SELECT json_group_object(m.model_settings_id, json(m.refused)) FROM ${table} m
     WHERE m.evaluation_id = e.id AND m.refused IS NOT NULL) AS refused`;

export const readRefused = (column: string): RefusedByModel =>
  refusedByModel.parse(JSON.parse(column));

/** Keeps what an endpoint refused, in place of what was kept before. */
export function prepareSetRefused({ db }: Pick<StoreContext, 'db'>, table: ModelsTable) {
  const update = db.prepare(
    `UPDATE ${table} SET refused = ? WHERE evaluation_id = ? AND model_settings_id = ?`,
  );
  return (id: string, modelSettingsId: string, refused: readonly RefusedSetting[]): void => {
    update.run(refused.length === 0 ? null : JSON.stringify(refused), id, modelSettingsId);
  };
}
