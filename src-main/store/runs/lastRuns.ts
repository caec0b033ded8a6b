import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { modelLabel, type Provider } from '../../../src-shared/domain/provider.ts';
import { isOriginal, isWhole } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';
import { outcomeColumn } from './outcomes.ts';

/** A result says nothing of a suite that has been run so often since. */
const maxResults = 50;

export interface EndedResult {
  id: string;
  unit: EvaluationUnit;
  number: number;
  plannedRuns: number;
}

/** The runs of one case or task with one model that came out alike. */
export interface AlikeRuns {
  sourceId: string;
  model: string;
  contentHash: string;
  outcome: string;
  runs: number;
  /** The first of them. */
  runId: string;
}

/** The runs of a suite's results, read from the newest result on. */
export function openLastRuns({ db }: StoreContext) {
  const ended = db.prepare<[string], EndedResult & { place: number }>(
    `SELECT * FROM (
       SELECT e.id, e.unit, e.number, e.planned_runs AS plannedRuns,
         row_number() OVER (PARTITION BY e.unit ORDER BY e.number DESC) AS place
       FROM evaluations e
       WHERE e.suite_id = ? AND e.deleted_at IS NULL AND e.state NOT IN ('planned', 'running')
         AND ${isOriginal} AND ${isWhole}
     ) ORDER BY unit, place`,
  );
  const models = db.prepare<[string], { id: string; provider: Provider; model: string }>(
    `SELECT m.id, m.provider, m.model FROM evaluation_models o JOIN model_settings m ON m.id = o.model_settings_id
     WHERE o.evaluation_id = ? ORDER BY o.position`,
  );
  const holds = db
    .prepare<[string, string], number>(
      `SELECT 1 FROM entries WHERE evaluation_id = ?
       AND source_id IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .pluck();
  const runs = db.prepare<[string], Omit<AlikeRuns, 'model'> & { modelSettingsId: string }>(
    // A bare column next to min() is that of the row with the minimum.
    `SELECT r.source_id AS sourceId, r.model_settings_id AS modelSettingsId, c.content_hash AS contentHash,
       ${outcomeColumn} AS outcome, count(*) AS runs, r.id AS runId, min(r.repetition) AS first
     FROM runs r JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
     WHERE r.evaluation_id = ? AND r.is_current = 1
     GROUP BY r.position, r.model_settings_id, 4 ORDER BY r.position, first`,
  );
  const labelsOf = (evaluationId: string): Map<string, string> =>
    new Map(models.all(evaluationId).map((one) => [one.id, modelLabel(one)]));

  return {
    /** Ended results of a suite by unit, newest first, and how many there are. Derived ones don't count. */
    ended(suiteId: string): { results: EndedResult[]; total: number } {
      const all = ended.all(suiteId);
      return { results: all.filter(({ place }) => place <= maxResults), total: all.length };
    },
    /** The models of a result, in its order. */
    models: (evaluationId: string): string[] => [...new Set(labelsOf(evaluationId).values())],
    /** Whether a result has any of these cases or tasks. */
    holds: (evaluationId: string, sourceIds: readonly string[]): boolean =>
      holds.get(evaluationId, JSON.stringify(sourceIds)) !== undefined,
    /** In the order of the suite. */
    read(evaluationId: string): AlikeRuns[] {
      const labels = labelsOf(evaluationId);
      return runs.all(evaluationId).map(({ modelSettingsId, ...row }) => ({
        ...row,
        model: labels.get(modelSettingsId) ?? modelSettingsId,
      }));
    },
  };
}
