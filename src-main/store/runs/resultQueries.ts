import { sha256 } from '../../runtime/sha256.ts';
import type { ParameterTally } from '../../../src-shared/domain/analysis.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { FailureKind } from '../../../src-shared/domain/evaluation.ts';
import type { UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import { joinReasons } from '../../../src-shared/domain/unscoredReasons.ts';
import type { ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { readContent } from '../evaluations/entries.ts';
import type { StoreContext } from '../storeContext.ts';
import { undecidedColumn } from './outcomes.ts';

/** Cases that a group of runs without a score names. */
const maxNamedCases = 20;

export interface PlacedCase {
  position: number;
  testCaseId: string;
  /** Null where the case was frozen before keys were kept. */
  caseKey: string | null;
  hash: string;
}

/** The outcome of a case's scored runs. A case without any has no row. */
export interface CaseTally {
  position: number;
  scored: number;
  right: number;
}

/** The runs of a case with one model that count, and how many of them passed. */
export interface RepeatedRow {
  position: number;
  modelSettingsId: string;
  n: number;
  passed: number;
}

export interface RunGlance {
  runId: string;
  selected: string[];
}

const rightBy: Record<PassedWhen, { right: string; counted: string }> = {
  selection: { right: "r.classification IN ('TP', 'TN')", counted: '1' },
  // Where a schema could not decide, such a run counts on neither side.
  selection_and_parameters: {
    right: "r.classification = 'TN' OR (r.classification = 'TP' AND x.passed = 1)",
    counted: 'x.passed IS NOT NULL',
  },
};

const scoredRuns = `FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id
  WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND (? IS NULL OR r.model_settings_id = ?)`;

export type ParameterVerdicts = Pick<
  ParameterTally,
  'matched' | 'wrongValue' | 'missing' | 'unexpected' | 'hallucinated' | 'unreadable' | 'notScored'
>;

const verdictColumns: Record<keyof ParameterVerdicts, string> = {
  matched: "'matched'",
  wrongValue: "'wrong_value'",
  missing: "'missing'",
  unexpected: "'unexpected'",
  hallucinated: "'hallucinated'",
  unreadable: "'unreadable'",
  notScored: "'not_scored', 'ignored'",
};

/** What comparisons and analyses read of scored runs, counted by the database case by case. */
export function openResultQueries({ db }: StoreContext) {
  const cases = db.prepare<[string], PlacedCase>(
    'SELECT position, source_id AS testCaseId, key AS caseKey, content_hash AS hash FROM entries WHERE evaluation_id = ? ORDER BY position',
  );
  const content = db.prepare<[string], { name: string; query: string; content: string }>(
    'SELECT name, query, content FROM entry_contents WHERE hash = ?',
  );
  const tallies = (when: PassedWhen) =>
    db.prepare<[string, string | null, string | null], CaseTally>(
      `SELECT r.position, sum(${rightBy[when].counted}) AS scored, sum((${rightBy[when].right}) AND (${rightBy[when].counted})) AS right ${scoredRuns} GROUP BY r.position ORDER BY r.position`,
    );
  const byRight: Record<PassedWhen, ReturnType<typeof tallies>> = {
    selection: tallies('selection'),
    selection_and_parameters: tallies('selection_and_parameters'),
  };
  const glance = (when: PassedWhen) =>
    db.prepare<[string, number, string, number], { runId: string; units: string }>(
      `SELECT r.id AS runId, (SELECT json_group_array(u.selected ORDER BY u.unit) FROM confusion_units u WHERE u.test_run_id = r.id) AS units
       FROM runs r LEFT JOIN evaluation_results x ON x.test_run_id = r.id
       WHERE r.evaluation_id = ? AND r.position = ? AND r.model_settings_id = ? AND r.is_current = 1
       ORDER BY coalesce((${rightBy[when].counted}), 0) DESC, coalesce((${rightBy[when].right}), 0) = ? DESC, r.repetition LIMIT 1`,
    );
  const glances: Record<PassedWhen, ReturnType<typeof glance>> = {
    selection: glance('selection'),
    selection_and_parameters: glance('selection_and_parameters'),
  };
  const toolHashes = db.prepare<[string], { server: string; name: string; hash: string }>(
    'SELECT s.server_name AS server, c.name, s.tool_hash AS hash FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position',
  );
  const toolTexts = db.prepare<
    [string],
    { server: string; name: string; hash: string; description: string; schema: string }
  >(
    'SELECT s.server_name AS server, c.name, s.tool_hash AS hash, c.description, c.input_schema AS schema FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position',
  );
  const verdictSums = (Object.entries(verdictColumns) as [keyof ParameterVerdicts, string][])
    .map(([column, found]) => `sum(verdict IN (${found})) AS ${column}`)
    .join(', ');
  const parameters = db.prepare<
    [string, string | null, string | null],
    ParameterVerdicts & { toolId: string; name: string; cases: number }
  >(
    `WITH rows AS (
       SELECT r.position, json_extract(p.value, '$.toolId') AS toolId, json_extract(p.value, '$.name') AS name, json_extract(p.value, '$.verdict') AS verdict
       FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id, json_each(x.details, '$.parameters') p
       WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND (? IS NULL OR r.model_settings_id = ?) AND r.classification = 'TP'
     ), cases AS (SELECT toolId, name, ${verdictSums} FROM rows GROUP BY position, toolId, name)
     SELECT *, count(*) AS cases FROM cases GROUP BY toolId, name, ${Object.keys(verdictColumns).join(', ')}`,
  );
  const wrongArguments = db.prepare<
    [string, string],
    { position: number; toolId: string; name: string; expected: string | null }
  >(
    `SELECT DISTINCT r.position, p.value ->> '$.toolId' AS toolId, p.value ->> '$.name' AS name, p.value -> '$.expected' AS expected
     FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id, json_each(x.details, '$.parameters') p
     WHERE r.evaluation_id = ? AND r.model_settings_id = ? AND r.is_current = 1 AND r.status = 'completed' AND r.classification = 'TP'
       AND p.value ->> '$.verdict' IN ('wrong_value', 'missing') ORDER BY r.position`,
  );
  const confidences = db.prepare<
    [string, string | null, string | null],
    { method: ConfidenceMethod; score: number; right: number; n: number }
  >(
    `SELECT r.confidence_method AS method, r.confidence_score AS score, r.classification IN ('TP', 'TN') AS right, count(*) AS n FROM runs r
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND (? IS NULL OR r.model_settings_id = ?) AND r.confidence_score IS NOT NULL
     GROUP BY 1, 2, 3`,
  );
  const repeats = (when: PassedWhen) =>
    db.prepare<[string, string | null, string | null], RepeatedRow>(
      `SELECT r.position, r.model_settings_id AS modelSettingsId, sum(${rightBy[when].counted}) AS n, sum((${rightBy[when].right}) AND (${rightBy[when].counted})) AS passed
       ${scoredRuns} GROUP BY r.position, r.model_settings_id HAVING n > 0 ORDER BY r.position`,
    );
  const repeated: Record<PassedWhen, ReturnType<typeof repeats>> = {
    selection: repeats('selection'),
    selection_and_parameters: repeats('selection_and_parameters'),
  };
  const caseAt = db.prepare<[string, number], PlacedCase>(
    'SELECT position, source_id AS testCaseId, key AS caseKey, content_hash AS hash FROM entries WHERE evaluation_id = ? AND position = ?',
  );

  const unscored = db.prepare<
    [string],
    {
      failure: FailureKind;
      message: string | null;
      runs: number;
      cases: string;
      first: number;
    }
  >(
    `SELECT r.failure, r.error_message AS message, count(*) AS runs, min(r.position) AS first,
       json_group_array(coalesce(c.key, c.source_id) ORDER BY r.position) AS cases
     FROM runs r JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'failed' GROUP BY 1, 2`,
  );

  // Answers that a schema could not decide.
  const undecided = db.prepare<
    [string],
    { failure: 'schema'; message: string | null; runs: number; cases: string; first: number }
  >(
    `SELECT 'schema' AS failure, ${undecidedColumn} AS message, count(*) AS runs, min(r.position) AS first,
       json_group_array(coalesce(c.key, c.source_id) ORDER BY r.position) AS cases
     FROM runs r JOIN evaluation_results x ON x.test_run_id = r.id
       JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND x.passed IS NULL
     GROUP BY 2 ORDER BY runs DESC, min(r.position)`,
  );

  // Runs that wait for a resume, because the evaluation ended before their turn came.
  const notStarted = db.prepare<
    [string],
    { failure: null; message: string | null; runs: number; cases: string }
  >(
    `SELECT NULL AS failure, e.reason AS message, count(*) AS runs,
       json_group_array(coalesce(c.key, c.source_id) ORDER BY r.position) AS cases
     FROM runs r JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
       JOIN evaluations e ON e.id = r.evaluation_id
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status IN ('pending', 'running')
       AND e.state NOT IN ('planned', 'running')
     HAVING count(*) > 0`,
  );

  const casesHash = db
    .prepare<[string], string>(
      "SELECT coalesce(group_concat(content_hash, ' '), '') FROM (SELECT content_hash FROM entries WHERE evaluation_id = ? ORDER BY content_hash)",
    )
    .pluck();

  return {
    /** One text for the cases of an evaluation in any order: the same cases give the same text. */
    casesHash(evaluationId: string): string {
      return sha256(casesHash.get(evaluationId) ?? '');
    },
    /**
     * Runs that failed, grouped by their message, those whose answer no schema could decide, and those
     * that an ended evaluation never started, the most frequent first, then in the order of the suite.
     */
    unscored(evaluationId: string): UnscoredGroup[] {
      const ended = [...unscored.all(evaluationId), ...undecided.all(evaluationId)].sort(
        (a, b) =>
          a.first - b.first ||
          compareText(a.failure, b.failure) ||
          compareText(a.message ?? '', b.message ?? ''),
      );
      return joinReasons(
        [...ended, ...notStarted.all(evaluationId)].map(
          ({ failure, message, runs, cases: named }) => ({
            failure,
            message,
            runs,
            cases: JSON.parse(named) as string[],
          }),
        ),
      ).map((group) => ({ ...group, cases: [...new Set(group.cases)].slice(0, maxNamedCases) }));
    },
    cases(evaluationId: string): PlacedCase[] {
      return cases.all(evaluationId);
    },
    caseAt(evaluationId: string, position: number): PlacedCase | null {
      return caseAt.get(evaluationId, position) ?? null;
    },
    caseText(hash: string): { name: string; query: string; content: string } | null {
      return content.get(hash) ?? null;
    },
    caseContent(hash: string): CaseContent | null {
      const row = content.get(hash);
      return row ? readContent('case', row.content) : null;
    },
    tallies(evaluationId: string, modelSettingsId: string, when: PassedWhen): CaseTally[] {
      return byRight[when].all(evaluationId, modelSettingsId, modelSettingsId);
    },
    /** The first run of a case with this outcome; where there is none, its first run. */
    glance(
      evaluationId: string,
      position: number,
      modelSettingsId: string,
      when: PassedWhen,
      right: boolean,
    ): RunGlance | null {
      const row = glances[when].get(evaluationId, position, modelSettingsId, Number(right));
      return row ? { runId: row.runId, selected: JSON.parse(row.units) as string[] } : null;
    },
    toolHashes(snapshotId: string) {
      return toolHashes.all(snapshotId);
    },
    /** The frozen tools as reports list them; `textHash` leaves out the name. */
    reportedTools(snapshotId: string | null) {
      return (snapshotId === null ? [] : toolTexts.all(snapshotId)).map(
        ({ server, name, hash, description, schema }) => ({
          toolId: toolId(server, name),
          hash,
          textHash: sha256(`${description}\n${schema}`),
        }),
      );
    },
    /** The verdicts on each parameter within a case, and how many cases have just these. */
    parameters(evaluationId: string, modelSettingsId: string | null) {
      return parameters.all(evaluationId, modelSettingsId, modelSettingsId);
    },
    /** Arguments of correct calls that have another value than expected, or are left out. */
    wrongArguments(evaluationId: string, modelSettingsId: string) {
      return wrongArguments.all(evaluationId, modelSettingsId);
    },
    confidences(evaluationId: string, modelSettingsId: string | null) {
      return confidences.all(evaluationId, modelSettingsId, modelSettingsId);
    },
    /** Each case of each model, read one by one. */
    repeated(
      evaluationId: string,
      modelSettingsId: string | null,
      when: PassedWhen,
    ): Iterable<RepeatedRow> {
      return repeated[when].iterate(evaluationId, modelSettingsId, modelSettingsId);
    },
  };
}
