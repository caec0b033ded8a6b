import { textList } from '../database/table.ts';
import { kindsByModel } from '../../../src-shared/domain/checkKinds.ts';
import type { AgreementCounts } from '../../../src-shared/metrics/cohensKappa.ts';
import type { StoreContext } from '../storeContext.ts';

/** Judges that decide together, and the version of the prompt that they are asked with. */
interface LabeledJudges {
  models: readonly string[];
  prompt: string;
  /** The version of evaluations that don't say theirs. */
  firstPrompt: string;
}
type Asked = Record<'suite' | 'judge' | 'others' | 'prompt' | 'firstPrompt', string>;

/** What people said about the judge checks of runs. */
export function openLabels({ db, clock }: StoreContext) {
  const put = db.prepare<[{ runId: string; checkId: string; label: number; createdAt: string }]>(
    `INSERT INTO labels (run_id, check_id, label, created_at)
     VALUES (@runId, @checkId, @label, @createdAt)
     ON CONFLICT (run_id, check_id) DO UPDATE SET label = @label, created_at = @createdAt`,
  );
  const remove = db.prepare<[string, string]>(
    'DELETE FROM labels WHERE run_id = ? AND check_id = ?',
  );
  const ofRun = db.prepare<[string], { checkId: string; label: number }>(
    'SELECT check_id AS checkId, label FROM labels WHERE run_id = ? ORDER BY check_id',
  );
  // A judge is known by the name of its model, whoever serves it. Runs of all attempts count: a
  // label is about what happened, and not about the evaluation.
  const counts = db.prepare<[Asked], AgreementCounts>(
    `SELECT coalesce(sum(l.label = 1 AND c.value ->> '$.passed' = 1), 0) AS bothYes,
       coalesce(sum(l.label = 1 AND c.value ->> '$.passed' = 0), 0) AS onlyFirst,
       coalesce(sum(l.label = 0 AND c.value ->> '$.passed' = 1), 0) AS onlySecond,
       coalesce(sum(l.label = 0 AND c.value ->> '$.passed' = 0), 0) AS bothNo
     FROM evaluations e JOIN runs r ON r.evaluation_id = e.id
       JOIN labels l ON l.run_id = r.id, json_each(r.verdict, '$.checks') c
     WHERE e.suite_name = @suite AND e.deleted_at IS NULL
       AND e.settings ->> '$.judge.model' = @judge
       AND (SELECT coalesce(json_group_array(j.value ->> '$.model'), '[]')
            FROM json_each(e.settings, '$.moreJudges') j) = @others
       AND coalesce(e.settings ->> '$.judgeTerms.prompt', @firstPrompt) = @prompt
       AND c.value ->> '$.kind' IN (${textList(kindsByModel)}) AND c.value ->> '$.id' = l.check_id
       AND c.value ->> '$.passed' IS NOT NULL`,
  );

  return {
    put: (runId: string, checkId: string, label: boolean): void =>
      void put.run({ runId, checkId, label: label ? 1 : 0, createdAt: clock.now() }),
    remove: (runId: string, checkId: string): void => void remove.run(runId, checkId),
    ofRun: (runId: string): { checkId: string; label: boolean }[] =>
      ofRun.all(runId).map(({ checkId, label }) => ({ checkId, label: label === 1 })),
    /**
     * How people (first) and judges (second), by their majority, agreed about the runs of a suite,
     * in all its evaluations with these judges and this prompt. A check without a verdict of them is
     * not counted.
     */
    agreement: (
      suiteName: string,
      { models: [judge = '', ...others], prompt, firstPrompt }: LabeledJudges,
    ): AgreementCounts =>
      counts.get({
        ...{ suite: suiteName, judge, others: JSON.stringify(others) },
        ...{ prompt, firstPrompt },
      }) ?? { bothYes: 0, onlyFirst: 0, onlySecond: 0, bothNo: 0 },
  };
}
