import { countedUnit } from '../../../../../src-shared/display/taskTexts.ts';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCause } from '../../../../../src-shared/domain/taskTools.ts';
import { useRead } from '../../../../api/index.ts';
import { splitToolId } from '../../../../../src-shared/domain/labels.ts';
import { Foreign, PlainText } from '../../../../ui/text/Foreign.tsx';
import { evaluationLink, taskRunLink } from '../../links.ts';
import classes from '../case/case.module.css';
import { AdvicePanel, SameRuns, shownAtOnce } from '../RunSide.tsx';

interface TaskAdviceProps {
  report: TaskReport;
  run: Pick<TaskRunRow, 'runId' | 'modelSettingsId'>;
  cause: RunCause;
}

/** What to change so that the model does it next time. */
export function TaskAdvice({ report, run, cause: { tool } }: TaskAdviceProps) {
  const isTool = tool?.includes(':') === true;
  const problem = useRead((ask) => ask.candidates.problem, {
    input: {
      evaluationId: report.evaluation.id,
      modelSettingsId: run.modelSettingsId,
      toolId: tool ?? '',
    },
    enabled: isTool,
    // Without advice, it is said how many failures point to the tool.
    retry: false,
  });
  if (!isTool) return null;
  const [advice] = problem.data?.advice ?? [];
  const failed = report.runs.filter(
    ({ cause, modelSettingsId }) => cause !== null && modelSettingsId === run.modelSettingsId,
  );
  const here = failed.filter(({ cause }) => cause?.tool === tool);
  return (
    <AdvicePanel advises>
      <p>
        {formatCount(here.length)} of{' '}
        {counted(failed.length, `failed ${countedUnit(report.evaluation)}`)} of this model{' '}
        {here.length === 1 ? 'points' : 'point'} to{' '}
        <PlainText as="code" text={splitToolId(tool).tool} />.
      </p>
      {advice !== undefined && (
        <>
          <Foreign as="p" text={advice.why} limit={600} />
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
    </AdvicePanel>
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
      total={others.length}
      noun={`other ${countedUnit(report.evaluation)}`}
      runs={others.slice(0, shownAtOnce).map(({ runId, taskName, repetition }) => ({
        to: taskRunLink(id, runId),
        text: taskName,
        repetition,
      }))}
      repeated={settings.repetitions > 1}
      all={evaluationLink(id)}
    />
  );
}
