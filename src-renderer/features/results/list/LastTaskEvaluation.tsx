import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { taskEvaluationLink } from '../taskLinks.ts';
import { TaskVerdict } from '../result/task/TaskVerdict.tsx';
import { useTaskReport } from '../live/useTaskReport.ts';

interface LastTaskEvaluationProps {
  evaluation: TaskEvaluation;
  /** True if another button of the page is the filled one. */
  quiet: boolean;
}

/** The verdict of the last task evaluation with its next step, for the overview. */
export function LastTaskEvaluation({ evaluation, quiet }: LastTaskEvaluationProps) {
  const { id, number, suiteName, createdAt } = evaluation;
  const { report } = useTaskReport(id);
  return (
    <Loaded query={report} blocks={[200]} label="Loading the last evaluation">
      {(loaded) => (
        <TaskVerdict
          report={loaded}
          quiet={quiet}
          lead={
            <>
              Last evaluation ·{' '}
              <Anchor component={Link} to={taskEvaluationLink(id)} inherit>
                #{number} <PlainText text={suiteName} />
              </Anchor>{' '}
              · tasks · <PlainText text={loaded.models.map(({ label }) => label).join(', ')} /> ·{' '}
              <Time iso={createdAt} focusable={false} />
            </>
          }
          action={
            <Button component={Link} to={taskEvaluationLink(id)} variant="default">
              Open result
            </Button>
          }
        />
      )}
    </Loaded>
  );
}
