import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { useTaskReport } from '../live/useTaskReport.ts';
import { TaskVerdict } from '../result/task/TaskVerdict.tsx';
import { LastLead, OpenResult } from './EvaluationParts.tsx';

interface LastTaskEvaluationProps {
  evaluation: TaskEvaluation;
  /** True if another button of the page is the filled one. */
  quiet: boolean;
}

/** The verdict of the last task evaluation with its next step, for the overview. */
export function LastTaskEvaluation({ evaluation, quiet }: LastTaskEvaluationProps) {
  const { report } = useTaskReport(evaluation.id);
  return (
    <Loaded query={report} blocks={[200]} label="Loading the last evaluation">
      {(loaded) => (
        <TaskVerdict
          report={loaded}
          quiet={quiet}
          lead={
            <LastLead
              unit="task"
              evaluation={evaluation}
              models={loaded.models.map(({ label }) => label)}
            />
          }
          action={<OpenResult id={evaluation.id} />}
        />
      )}
    </Loaded>
  );
}
