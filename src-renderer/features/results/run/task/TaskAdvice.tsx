import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCause } from '../../../../../src-shared/domain/taskTools.ts';
import { useApi } from '../../../../api/index.ts';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { taskRunLink } from '../../links.ts';
import { FixTool } from '../../NextStep.tsx';
import classes from '../../tasks.module.css';
import styles from './taskAdvice.module.css';

/** As many as fit beside the steps; the result lists all. */
const shownAtOnce = 5;

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
      <h2>{advice === undefined ? 'Next step' : 'Advice'}</h2>
      <div className={styles.advice}>
        <p>
          {formatCount(here.length)} of {counted(failed.length, 'failed run')} of this model{' '}
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
                  <p key={`${edit.toolId} ${edit.path}`} className={styles.text}>
                    <Foreign text={edit.inserted} limit={600} />
                  </p>
                ),
            )}
          </>
        )}
        <FixTool
          evaluationId={report.evaluation.id}
          wrong={{ expected: tool, called: null }}
          model={run.modelSettingsId}
          variant="filled"
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
  const { id } = report.evaluation;
  return (
    <section className={classes.panel} aria-label="Same failure">
      <h2>{counted(others.length, 'other run')} with the same failure</h2>
      <ul className="ts-rows">
        {others.slice(0, shownAtOnce).map(({ runId, taskName, repetition }) => (
          <li key={runId}>
            <Link className="ts-row-link" to={taskRunLink(id, runId)}>
              <Cut
                text={
                  report.evaluation.settings.repetitions > 1
                    ? `${taskName}, run ${repetition}`
                    : taskName
                }
              />
              <IconChevronRight size={14} aria-hidden />
            </Link>
          </li>
        ))}
        {others.length > shownAtOnce && (
          <li>
            <Link className="ts-row-link" to={`/results/${id}`}>
              All failures
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
