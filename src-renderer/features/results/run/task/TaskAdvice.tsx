import { useQuery } from '@tanstack/react-query';
import { countedUnit } from '../../../../../src-shared/display/taskTexts.ts';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCause } from '../../../../../src-shared/domain/taskTools.ts';
import { useApi } from '../../../../api/index.ts';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { evaluationLink, taskRunLink } from '../../links.ts';
import { FixTool } from '../../NextStep.tsx';
import classes from '../case/case.module.css';
import { SameRuns, shownAtOnce } from '../SameRuns.tsx';

interface TaskAdviceProps {
  report: TaskReport;
  run: Pick<TaskRunRow, 'runId' | 'modelSettingsId'>;
  cause: RunCause;
}

/** What to change so that the model does it next time, and the way to the tool's definition. */
export function TaskAdvice({ report, run, cause: { tool } }: TaskAdviceProps) {
  const { queries } = useApi();
  const isTool = tool?.includes(':') === true;
  const problem = useQuery(
    queries.candidates.problem.queryOptions({
      input: {
        evaluationId: report.evaluation.id,
        modelSettingsId: run.modelSettingsId,
        toolId: tool ?? '',
      },
      enabled: isTool,
      // Without advice, the way to the tool remains.
      retry: false,
    }),
  );
  if (!isTool) return null;
  const [advice] = problem.data?.advice ?? [];
  const failed = report.runs.filter(
    ({ cause, modelSettingsId }) => cause !== null && modelSettingsId === run.modelSettingsId,
  );
  const here = failed.filter(({ cause }) => cause?.tool === tool);
  return (
    <section className={classes.panel} aria-label="Advice">
      <div className={classes.head}>
        <h2 className={classes.title}>{advice === undefined ? 'Next step' : 'Advice'}</h2>
      </div>
      <div className={classes.advice}>
        <p>
          {formatCount(here.length)} of{' '}
          {counted(failed.length, `failed ${countedUnit(report.evaluation)}`)} of this model{' '}
          {here.length === 1 ? 'points' : 'point'} to this tool.
        </p>
        {advice !== undefined && (
          <>
            <p>
              <Foreign text={advice.why} limit={600} />
            </p>
            {advice.edits.map(
              (edit) =>
                edit.type === 'text' && (
                  <p key={`${edit.toolId} ${edit.path}`} className={classes.inserted}>
                    <Foreign text={edit.inserted} limit={600} />
                  </p>
                ),
            )}
          </>
        )}
        <FixTool
          evaluationId={report.evaluation.id}
          tool={tool}
          models={report.models.filter(({ id }) => id === run.modelSettingsId)}
          preset={run.modelSettingsId}
          prominent="filled"
        />
      </div>
    </section>
  );
}

/** The other runs of the model that failed by the same cause, each as a link. */
export function SameFailure({ report, run, cause }: TaskAdviceProps) {
  const known = JSON.stringify(cause);
  const others = report.runs.filter(
    (one) =>
      one.runId !== run.runId &&
      one.modelSettingsId === run.modelSettingsId &&
      JSON.stringify(one.cause) === known,
  );
  if (others.length === 0) return null;
  const { id, settings } = report.evaluation;
  return (
    <SameRuns
      label="Same failure"
      title={`${counted(others.length, `other ${countedUnit(report.evaluation)}`)} ${others.length === 1 ? 'fails' : 'fail'} the same way`}
      runs={others.slice(0, shownAtOnce).map(({ runId, taskName, repetition }) => ({
        to: taskRunLink(id, runId),
        text: taskName,
        ...(settings.repetitions > 1 && { note: `repetition ${repetition}` }),
      }))}
      more={
        others.length > shownAtOnce
          ? { to: evaluationLink(id), label: `Show all ${formatCount(others.length)}` }
          : null
      }
    />
  );
}
