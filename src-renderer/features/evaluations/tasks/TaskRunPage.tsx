import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { modeTexts, taskOutcomeTexts } from '../../../../src-shared/display/taskTexts.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { useApi } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { firstCharacters } from '../../../ui/text/visibleText.ts';
import { TaskChecks } from './TaskChecks.tsx';
import { taskEvaluationLink } from './taskLinks.ts';
import { TaskTotals } from './TaskTotals.tsx';
import classes from './tasks.module.css';
import { Timeline } from './Timeline.tsx';

/** The trajectory of one task run: what happened step by step, and what the checks say. */
export function TaskRunPage() {
  const { id = '', runId = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(queries.taskEvaluations.get.queryOptions({ input: { id } })).data;
  const run = useQuery(queries.taskEvaluations.run.queryOptions({ input: { id, runId } }));
  const detail = run.data;
  const model = evaluation?.models.find((one) => one.id === detail?.modelSettingsId);
  const outcome = taskOutcomeTexts[detail?.outcome ?? 'not_run'].title;
  const facts = [
    detail?.taskName,
    model && modelLabel(model),
    evaluation !== undefined &&
      detail !== undefined &&
      evaluation.settings.repetitions > 1 &&
      `run ${detail.repetition} of ${evaluation.settings.repetitions}`,
    evaluation && `mode ${modeTexts[evaluation.settings.mode].label}`,
  ].filter((fact) => typeof fact === 'string');
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          {
            label:
              evaluation === undefined
                ? 'Task evaluation'
                : `#${evaluation.number} ${evaluation.suiteName}`,
            to: taskEvaluationLink(id),
          },
          { label: detail?.taskName ?? 'Run' },
        ]}
        title={
          detail === undefined
            ? 'Run'
            : detail.reason === null
              ? outcome
              : firstCharacters(`${outcome}: ${detail.reason}`, 300)
        }
        subtitle={facts.join(' · ')}
      />
      <Loaded query={run} blocks={[320, 120]} label="Loading the run">
        {(loaded) => (
          <div key={loaded.runId} className={classes.columns}>
            {loaded.trajectory === null ? (
              <Notice>
                {loaded.status === 'pending' || loaded.status === 'running'
                  ? 'The run has not ended. Its steps are stored when it ends.'
                  : 'No step of this run is stored: it ended before the model answered.'}
              </Notice>
            ) : (
              <Timeline content={loaded.content} trajectory={loaded.trajectory} />
            )}
            <div className={classes.side}>
              <TaskChecks run={loaded} />
              {loaded.facts !== null && <TaskTotals facts={loaded.facts} />}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
