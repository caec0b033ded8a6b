import { isCorrectUnit } from '../../../src-shared/domain/labels.ts';
import { shownCases, shownId } from '../suites/shownCases.ts';
import type { StoreContext } from '../storeContext.ts';

interface ExpectingCase {
  id: string;
  key: string;
  suiteId: string;
  suiteName: string;
  query: string;
}

interface ExpectingRun {
  runId: string;
  caseId: string;
  modelSettingsId: string;
  position: number;
  outcome: string;
  /** What was called where the tool was expected and not satisfied, `(no tool)` and `(phantom)` too. */
  instead: string[];
}

/** Cases and results by the tool that is expected, also as one of several alternatives. */
export function openServerCases({ db }: StoreContext) {
  const ofTool = db.prepare<[{ server: string; name: string }], ExpectingCase>(
    `SELECT ${shownId} AS id, c.key, u.id AS suiteId, u.name AS suiteName, c.query
     FROM ${shownCases}
     WHERE EXISTS (
       SELECT 1 FROM json_each(c.expected_calls) call
       WHERE (call.value ->> '$.server' = :server AND call.value ->> '$.tool' = :name)
         OR EXISTS (SELECT 1 FROM json_each(call.value, '$.anyOf') other
              WHERE other.value ->> '$.server' = :server AND other.value ->> '$.tool' = :name))
     ORDER BY u.name, u.id, c.position`,
  );
  const unitsOfTool = db.prepare<
    [{ evaluation: string; tool: string }],
    Omit<ExpectingRun, 'instead'> & { expected: string; selected: string }
  >(
    `SELECT r.id AS runId, r.source_id AS caseId, r.model_settings_id AS modelSettingsId, r.position, r.outcome,
       u.expected, u.selected
     FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = :evaluation AND r.is_current = 1 AND r.status = 'completed'
       AND instr(' | ' || u.expected || ' | ', ' | ' || :tool || ' | ') > 0
     ORDER BY r.position, r.repetition`,
  );
  const passedByModel = db.prepare<
    [string],
    { modelSettingsId: string; scored: number; passed: number }
  >(
    `SELECT model_settings_id AS modelSettingsId, count(*) AS scored, sum(outcome = 'passed') AS passed
     FROM runs WHERE evaluation_id = ? AND is_current = 1 AND status = 'completed'
     GROUP BY model_settings_id`,
  );
  return {
    /** Stored cases that expect a tool, also as an alternative, by suite and place. */
    ofTool: (server: string, name: string): ExpectingCase[] => ofTool.all({ server, name }),
    /** Scored runs of an evaluation of cases that expected a tool, by model and place. */
    runsOfTool(evaluation: string, tool: string): ExpectingRun[] {
      const runs = new Map<string, ExpectingRun>();
      for (const { expected, selected, ...run } of unitsOfTool.iterate({ evaluation, tool })) {
        const own = runs.get(run.runId) ?? { ...run, instead: [] };
        runs.set(run.runId, own);
        if (!isCorrectUnit({ expected, selected })) own.instead.push(selected);
      }
      return [...runs.values()];
    },
    /** How the runs of each model of an evaluation came out, of cases or of tasks. */
    passedByModel: (
      evaluation: string,
    ): { modelSettingsId: string; scored: number; passed: number }[] =>
      passedByModel.all(evaluation),
  };
}
