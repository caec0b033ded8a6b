import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { counted, noun } from '../../../../src-shared/display/numbers.ts';
import { taskConfusionText } from '../../../../src-shared/display/taskToolTexts.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import { halfOf } from '../../../../src-shared/metrics/rewriteProof.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import classes from '../improve/fix.module.css';
import { taskRunLink } from '../tasks/taskLinks.ts';
import { useTaskReport } from '../tasks/useTaskReport.ts';

/**
 * The tasks of the search half that go wrong at a tool. Those of the proof half are only counted, so
 * that no description is written for them.
 */
export function FailingTasks({ evaluationId, tool }: { evaluationId: string; tool: string }) {
  const { report } = useTaskReport(evaluationId);
  return (
    <Loaded query={report} blocks={[120]}>
      {({ runs, tasks }) => {
        const failing = runs.filter((run) => goesWrongAt(run, tool));
        const shown = failing.filter(({ taskKey }) => halfOf(taskKey) === 'search');
        const hidden = failing.length - shown.length;
        const requests = new Map(tasks.map(({ key, request }) => [key, request]));
        return (
          <Section title={`Failing tasks (${shown.length})`}>
            {shown.length === 0 && <p>No task that you may see goes wrong at this tool.</p>}
            <ul className={classes.requests} tabIndex={0} aria-label="Failing tasks">
              {shown.map(({ runId, taskKey, taskName, toolUse }) => (
                <li key={runId}>
                  <Link to={taskRunLink(evaluationId, runId)}>
                    <Foreign text={requests.get(taskKey) ?? taskName} limit={300} />
                  </Link>
                  {toolUse?.firstWrong && (
                    <span className={classes.quiet}>
                      <RichSentence text={taskConfusionText(toolUse.firstWrong)} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {hidden > 0 && (
              <p className={classes.note}>
                <IconLock size={14} aria-hidden /> {counted(hidden, 'more failing run')}{' '}
                {noun(hidden, 'stays', 'stay')} hidden so that the proof stays fair.
              </p>
            )}
          </Section>
        );
      }}
    </Loaded>
  );
}

const goesWrongAt = ({ outcome, toolUse }: TaskRunRow, tool: string): boolean =>
  outcome !== 'succeeded' &&
  (toolUse?.firstWrong?.expected === tool || toolUse?.firstWrong?.called === tool);
