import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { evaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import type { StoreContext } from '../storeContext.ts';

/**
 * What a kept summary was computed from. Another last event or another version of the arithmetic
 * makes it stale.
 */
export interface SummaryKey {
  evaluationId: string;
  /** Null = all models together. */
  modelSettingsId: string | null;
  seq: number;
  arithmetic: number;
}

/**
 * Kept summaries of evaluations that have ended, one for each evaluation and model. They can always
 * be recomputed by folding the runs.
 */
export function openSummaries({ db, transaction }: StoreContext) {
  const select = db.prepare<[string, string, number, number], { summary: string }>(
    'SELECT summary FROM evaluation_summaries WHERE evaluation_id = ? AND model_settings_id = ? AND seq = ? AND arithmetic = ?',
  );
  const replace = db.prepare(
    'INSERT OR REPLACE INTO evaluation_summaries (evaluation_id, model_settings_id, seq, arithmetic, summary) VALUES (?, ?, ?, ?, ?)',
  );

  return {
    get({ evaluationId, modelSettingsId, seq, arithmetic }: SummaryKey): EvaluationSummary | null {
      const row = select.get(evaluationId, modelSettingsId ?? '', seq, arithmetic);
      return row ? evaluationSummary.parse(JSON.parse(row.summary)) : null;
    },
    put(
      { evaluationId, modelSettingsId, seq, arithmetic }: SummaryKey,
      summary: EvaluationSummary,
    ): void {
      transaction(() =>
        replace.run(evaluationId, modelSettingsId ?? '', seq, arithmetic, JSON.stringify(summary)),
      );
    },
  };
}
