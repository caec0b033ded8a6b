import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { modelLabel, type Provider } from '../../../src-shared/domain/provider.ts';
import type { ToolResult } from '../../../src-shared/domain/toolRow.ts';
import { isOriginal } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';

/** As in the rows of tools, without the similarity, which no result knows. */
export type StoredToolResult = Omit<ToolResult, 'models'> & {
  models: (Omit<ToolResult['models'][number], 'instead'> & {
    instead: { toolId: string; times: number }[];
  })[];
};

/** An older result says nothing of a tool that is still worked on. */
const maxEvaluations = 100;
/** Tools called instead of one, for each model. */
const maxInstead = 3;

interface EndedRow {
  id: string;
  number: number;
  createdAt: string;
  plannedRuns: number;
  seq: number;
}

interface UnitRow {
  runId: string;
  modelSettingsId: string;
  passed: 0 | 1;
  expected: string;
  selected: string;
}

/** How the runs of each model came out, by the tool that they expected. */
export function openToolResults({ db }: StoreContext) {
  const ended = db.prepare<[], EndedRow>(
    `SELECT e.id, e.number, e.created_at AS createdAt, e.planned_runs AS plannedRuns,
       (SELECT max(v.seq) FROM evaluation_events v WHERE v.evaluation_id = e.id) AS seq
     FROM evaluations e
     WHERE e.unit = 'case' AND e.deleted_at IS NULL AND e.state NOT IN ('planned', 'running') AND ${isOriginal}
     ORDER BY e.number DESC LIMIT ${maxEvaluations}`,
  );
  const expectedIn = db
    .prepare<[string], string>(
      `WITH one AS (
         SELECT call.value AS call FROM (SELECT DISTINCT content_hash AS hash FROM entries WHERE evaluation_id = ?) n
         JOIN entry_contents k ON k.hash = n.hash, json_each(k.content, '$.expectedCalls') call)
       SELECT (call ->> '$.server') || ':' || (call ->> '$.tool') AS tool FROM one WHERE call ->> '$.tool' IS NOT NULL
       UNION SELECT (other.value ->> '$.server') || ':' || (other.value ->> '$.tool') FROM one, json_each(call, '$.anyOf') other`,
    )
    .pluck();
  const units = db.prepare<[string], UnitRow>(
    `SELECT r.id AS runId, r.model_settings_id AS modelSettingsId, r.outcome = 'passed' AS passed, u.expected, u.selected
     FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed'`,
  );
  const models = db.prepare<[string], { id: string; provider: Provider; model: string }>(
    `SELECT m.id, m.provider, m.model FROM evaluation_models o JOIN model_settings m ON m.id = o.model_settings_id
     WHERE o.evaluation_id = ? ORDER BY o.position`,
  );

  return {
    /** What the last ended evaluations are, with their last events: as long as it stays, so does `read`. */
    basis(): { key: string; plannedRuns: number } {
      const rows = ended.all();
      return {
        key: rows.map(({ id, seq }) => `${id} ${seq}`).join(),
        plannedRuns: rows.reduce((sum, { plannedRuns }) => sum + plannedRuns, 0),
      };
    },
    /**
     * By tool id, the last ended evaluation of cases that expected the tool and scored a run of it,
     * among the last `maxEvaluations`. Derived ones don't count. May visit every run of several.
     */
    read(): Map<string, StoredToolResult> {
      const found = new Map<string, StoredToolResult>();
      for (const { id, number, createdAt } of ended.all()) {
        const wanted = new Set(expectedIn.all(id).filter((tool) => !found.has(tool)));
        if (wanted.size === 0) continue;
        const labels = models.all(id).map((model) => ({ id: model.id, label: modelLabel(model) }));
        for (const [tool, byModel] of foldUnits(units.iterate(id), wanted))
          found.set(tool, {
            id,
            number,
            createdAt,
            models: labels.flatMap(({ id: modelSettingsId, label }) => {
              const own = byModel.get(modelSettingsId);
              return own === undefined
                ? []
                : [{ modelSettingsId, model: label, ...own, instead: mostFrequent(own.instead) }];
            }),
          });
      }
      return found;
    },
  };
}

interface Folded {
  scored: number;
  passed: number;
  instead: Map<string, number>;
}

/** A run counts once for a tool, however many of its calls expected it. */
function foldUnits(
  rows: Iterable<UnitRow>,
  wanted: ReadonlySet<string>,
): Map<string, Map<string, Folded>> {
  const folded = new Map<string, Map<string, Folded>>();
  const counted = new Set<string>();
  for (const { runId, modelSettingsId, passed, expected, selected } of rows)
    for (const tool of toolsOfLabel(expected)) {
      if (!wanted.has(tool)) continue;
      const byModel = folded.get(tool) ?? new Map<string, Folded>();
      folded.set(tool, byModel);
      const own: Folded = byModel.get(modelSettingsId) ?? {
        scored: 0,
        passed: 0,
        instead: new Map(),
      };
      byModel.set(modelSettingsId, own);
      const key = `${runId} ${tool}`;
      if (!counted.has(key)) {
        counted.add(key);
        own.scored += 1;
        own.passed += passed;
      }
      if (isToolLabel(selected) && !isCorrectUnit({ expected, selected }))
        own.instead.set(selected, (own.instead.get(selected) ?? 0) + 1);
    }
  return folded;
}

const mostFrequent = (instead: ReadonlyMap<string, number>) =>
  [...instead]
    .map(([toolId, times]) => ({ toolId, times }))
    .sort((a, b) => b.times - a.times)
    .slice(0, maxInstead);
