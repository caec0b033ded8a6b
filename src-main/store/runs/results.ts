import { z } from 'zod';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { Confidence, ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { ConfidenceCategory, ConfusionUnit, Score } from '../../../src-shared/domain/score.ts';
import { callMatch, parameterVerdict, score } from '../../../src-shared/domain/score.ts';
import { expectation, type ArgumentsMode } from '../../../src-shared/domain/testCase.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

const details = z.object({
  missing: z.array(z.string()),
  parameters: z.array(parameterVerdict),
  matches: z.array(callMatch),
  undecided: z.string().nullable().default(null),
});

const table = defineTable('evaluation_results', {
  id: 'text',
  testRunId: 'text',
  classification: 'text',
  toolSelectionCorrect: 'flag',
  parameterCompleteness: 'real',
  parameterCorrectness: 'real',
  parameterTypeConformance: 'flag?',
  hallucinatedParameters: 'json?',
  matchedParameters: 'integer',
  expectedParameters: 'integer',
  passed: 'flag?',
  confidenceCategory: 'text?',
  reasoning: 'text',
  recommendations: 'json',
  /** The parts of a score that SQL never reads. */
  details: 'json',
  scorer: 'text',
  createdAt: 'text',
});
type ResultRow = Row<typeof table>;

/** What the replaced score was computed with, where the new one uses something else. */
export interface MadeWith {
  caseHash?: string | null;
  highConfidence?: number | null;
  argumentsMode?: ArgumentsMode | null;
}

/**
 * Current scores, the scores that they replaced, and the cells that they add to the confusion
 * matrix.
 */
export function openResults({ db }: StoreContext) {
  const insert = db.prepare<[ResultRow]>(table.insert());
  const remove = db.prepare('DELETE FROM evaluation_results WHERE test_run_id = ?');
  const select = db.prepare<[string], ResultRow>(
    `SELECT ${table.columns} FROM evaluation_results WHERE test_run_id = ?`,
  );
  const insertUnit = db.prepare(
    'INSERT INTO confusion_units (test_run_id, unit, expected, selected) VALUES (?, ?, ?, ?)',
  );
  const removeUnits = db.prepare('DELETE FROM confusion_units WHERE test_run_id = ?');
  const units = db.prepare<[string], ConfusionUnit>(
    'SELECT expected, selected FROM confusion_units WHERE test_run_id = ? ORDER BY unit',
  );
  const keep = db.prepare(
    'INSERT INTO evaluation_result_history (test_run_id, score, scorer, replaced_at, case_hash, high_confidence, arguments_mode) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const history = db.prepare<
    [string],
    {
      score: string;
      scorer: string;
      replaced_at: string;
      high_confidence: number | null;
      arguments_mode: ArgumentsMode | null;
      content: string | null;
    }
  >(
    `SELECT h.score, h.scorer, h.replaced_at, h.high_confidence, h.arguments_mode, k.content FROM evaluation_result_history h
     LEFT JOIN entry_contents k ON k.hash = h.case_hash WHERE h.test_run_id = ? ORDER BY h.id DESC`,
  );

  const steadiness = db.prepare<
    [string, number, number],
    {
      id: string;
      modelSettingsId: string;
      position: number;
      method: ConfidenceMethod | null;
      selected: string;
      classification: string;
    }
  >(
    `SELECT r.id, r.model_settings_id AS modelSettingsId, r.position, r.confidence_method AS method, r.classification,
       (SELECT json_group_array(tool) FROM (SELECT DISTINCT iif(c.value ->> 'server' IS NULL, json_array(c.value ->> 'name'), json_array(c.value ->> 'server', c.value ->> 'tool')) AS tool FROM json_each(r.observation, '$.calls') c ORDER BY tool)) AS selected
     FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.position >= ? AND r.position < ? AND r.is_current = 1 AND r.status = 'completed' ORDER BY r.position, r.model_settings_id, r.repetition`,
  );
  const lastPosition = db
    .prepare<[string], number | null>('SELECT max(position) FROM runs WHERE evaluation_id = ?')
    .pluck();
  const setConfidence = db.prepare(
    `UPDATE runs SET confidence_score = @score, confidence_method = @method, observation = json_set(observation, '$.confidence', json(@confidence)) WHERE id = @id`,
  );
  const setCategory = db.prepare(
    'UPDATE evaluation_results SET confidence_category = ? WHERE test_run_id = ?',
  );

  function get(testRunId: string): { score: Score; scorer: string } | null {
    const row = select.get(testRunId);
    if (!row) return null;
    const value = table.fromRow(row);
    const { missing, parameters, matches, undecided } = details.parse(value.details);
    return {
      scorer: row.scorer,
      score: score.parse({
        ...value,
        hallucinatedParameters: value.hallucinatedParameters ?? [],
        confidenceCategory: value.confidenceCategory ?? 'unmeasured',
        missingParameters: missing,
        parameters,
        matches,
        undecided,
        units: units.all(testRunId),
      }),
    };
  }

  function put(id: string, testRunId: string, value: Score, scorer: string, at: string): void {
    const { missingParameters: missing, parameters, matches, undecided } = value;
    const kept = { missing, parameters, matches, undecided };
    insert.run(table.toRow({ ...value, id, testRunId, details: kept, scorer, createdAt: at }));
    value.units.forEach((unit, index) =>
      insertUnit.run(testRunId, index, unit.expected, unit.selected),
    );
  }

  /** The current score moves to the history, and none takes its place. */
  function retire(testRunId: string, at: string, madeWith: MadeWith = {}): void {
    const old = get(testRunId);
    if (old)
      keep.run(
        testRunId,
        JSON.stringify(old.score),
        old.scorer,
        at,
        madeWith.caseHash ?? null,
        madeWith.highConfidence ?? null,
        madeWith.argumentsMode ?? null,
      );
    remove.run(testRunId);
    removeUnits.run(testRunId);
  }

  return {
    get,
    put,
    retire,
    /** The old score moves to the history with the fingerprint of the scorer that computed it. */
    replace(
      id: string,
      testRunId: string,
      value: Score,
      scorer: string,
      at: string,
      madeWith: MadeWith = {},
    ): void {
      retire(testRunId, at, madeWith);
      put(id, testRunId, value, scorer, at);
    },
    /** The position of the last case. Null where there is none. */
    lastPosition: (evaluationId: string): number | null => lastPosition.get(evaluationId) ?? null,
    /**
     * Which tools each scored run of the cases from one position to before another called, as a set:
     * neither order nor repeated calls matter. And whether they were right. Agreement is counted from this.
     */
    steadiness: (evaluationId: string, from: number, before: number) =>
      steadiness.all(evaluationId, from, before).map(({ classification, ...run }) => ({
        ...run,
        right: classification === 'TP' || classification === 'TN',
      })),
    setConfidence(
      testRunId: string,
      confidence: Confidence | null,
      category: ConfidenceCategory,
    ): void {
      setConfidence.run({
        id: testRunId,
        score: confidence?.score ?? null,
        method: confidence?.method ?? null,
        confidence: JSON.stringify(confidence),
      });
      setCategory.run(category, testRunId);
    },
    history(testRunId: string) {
      return history.all(testRunId).map((row) => ({
        score: score.parse(parseJson(row.score)),
        scorer: row.scorer,
        replacedAt: row.replaced_at,
        expectation: row.content === null ? null : expectation.parse(parseJson(row.content)),
        highConfidence: row.high_confidence,
        argumentsMode: row.arguments_mode,
      }));
    },
  };
}
