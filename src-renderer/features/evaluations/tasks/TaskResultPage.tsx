import { useParams } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { modeTexts } from '../../../../src-shared/display/taskTexts.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import facts from '../evaluations.module.css';
import { stateWords } from '../evaluationWords.ts';
import { TaskActions } from './TaskActions.tsx';
import { TaskCauses } from './TaskCauses.tsx';
import { TaskRuns } from './TaskRuns.tsx';
import { TaskVerdict } from './TaskVerdict.tsx';
import { useTaskReport } from './useTaskReport.ts';

/** The result of a task evaluation: how many tasks succeeded, why others did not, and every run. */
export function TaskResultPage() {
  const { id = '' } = useParams();
  const report = useTaskReport(id);
  const evaluation = report.data?.evaluation;
  const name =
    evaluation === undefined
      ? 'Task evaluation'
      : `Task evaluation #${evaluation.number} ${evaluation.suiteName}`;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: name }]}
        title={name}
        subtitle={report.data === undefined ? undefined : <TaskFacts report={report.data} />}
        actions={report.data === undefined ? undefined : <TaskActions report={report.data} />}
      />
      <Loaded query={report} blocks={[120, 120, 320]} label="Loading the task evaluation">
        {(loaded) => (
          <>
            <TaskVerdict report={loaded} />
            <TaskCauses evaluationId={loaded.evaluation.id} causes={loaded.causes} />
            <TaskRuns report={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

function TaskFacts({ report: { evaluation, models } }: { report: TaskReport }) {
  const { state, settings, createdAt } = evaluation;
  return (
    <div className={facts.facts}>
      <StatusBadge {...stateWords[state]} />
      <PlainText text={models.map(({ label }) => label).join(', ')} />
      <span>mode {modeTexts[settings.mode].label}</span>
      {settings.repetitions > 1 && (
        <span className="ts-number">{counted(settings.repetitions, 'repetition')}</span>
      )}
      <Time iso={createdAt} />
    </div>
  );
}
