import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { modeTexts } from '../../../../../src-shared/display/executionTexts.ts';
import { useApi } from '../../../../api/index.ts';
import { PageHeader } from '../../../../ui/frame/PageHeader.tsx';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../../ui/notices/Notice.tsx';
import { firstCharacters } from '../../../../ui/text/visibleText.ts';
import page from '../../evaluations.module.css';
import { Exchanges } from './Exchanges.tsx';
import { FixTool } from '../../NextStep.tsx';
import { RunPickers } from './RunPickers.tsx';
import { TaskChecks } from './TaskChecks.tsx';
import { evaluationLink } from '../../links.ts';
import classes from '../../tasks.module.css';
import { taskRunSentence } from './taskRunSentence.ts';
import { TaskTotals } from './TaskTotals.tsx';
import { TimeLanes } from './TimeLanes.tsx';
import { Timeline } from './Timeline.tsx';
import { useReference } from './useReference.ts';
import { useTaskReport } from '../../live/useTaskReport.ts';
import { useTaskRun } from './useTaskRun.ts';

/** A title is read at a glance; the checks beside the trajectory have the whole reason. */
const maxTitleLength = 200;

/**
 * The trajectory of one task run: what happened step by step, what the checks say, and where it
 * differs from another run of the task.
 */
export function TaskRunPage() {
  const { id = '', runId = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const { queries } = useApi();
  const suites = useQuery(queries.suites.list.queryOptions());
  const { report } = useTaskReport(id);
  const run = useTaskRun({ id, runId });
  const reference = useReference({ id, runId }, params.get('with'));
  const { evaluation, models } = report.data ?? {};
  const detail = run.data;
  const model = models?.find((one) => one.id === detail?.modelSettingsId)?.label;
  const facts = [
    detail?.taskName,
    model,
    evaluation !== undefined &&
      detail !== undefined &&
      evaluation.settings.repetitions > 1 &&
      `run ${detail.repetition} of ${evaluation.settings.repetitions}`,
    evaluation && `execution mode ${modeTexts[evaluation.settings.mode].label}`,
    reference.data && `compared with ${reference.label}`,
  ].filter((fact) => typeof fact === 'string');
  // A deleted suite can't get a case.
  const suiteId = suites.data?.find(({ id: one }) => one === evaluation?.suiteId)?.id ?? null;
  const destructive = new Set(
    report.data?.executed.filter((tool) => tool.destructive).map(({ tool }) => tool),
  );
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          {
            label: evaluation ? `#${evaluation.number} ${evaluation.suiteName}` : 'Task evaluation',
            to: evaluationLink('task', id),
          },
          { label: detail?.taskName ?? 'Run' },
        ]}
        title={
          detail === undefined ? 'Run' : firstCharacters(taskRunSentence(detail), maxTitleLength)
        }
        subtitle={facts.join(' · ')}
        actions={
          detail && (
            <>
              <FixTool
                evaluationId={id}
                wrong={detail.toolUse?.firstWrong}
                model={detail.modelSettingsId}
              />
              <RunPickers run={{ id, runId }} reference={reference.address} report={report.data} />
            </>
          )
        }
      />
      {reference.error !== null && (
        <ErrorNotice error={reference.error} title="Couldn't load the run to compare with" />
      )}
      <Loaded query={run} blocks={[120, 320]} label="Loading the run">
        {(loaded) => (
          <Tabs
            key={loaded.runId}
            value={params.get('tab') === 'exchanges' ? 'exchanges' : 'trajectory'}
            onChange={(tab) => {
              setParams(
                (before) => {
                  const next = new URLSearchParams(before);
                  if (tab === 'exchanges') next.set('tab', tab);
                  else next.delete('tab');
                  return next;
                },
                { replace: true },
              );
            }}
            keepMounted={false}
          >
            <Tabs.List aria-label="Run" className={page.tabs ?? ''}>
              <Tabs.Tab value="trajectory">Trajectory</Tabs.Tab>
              <Tabs.Tab value="exchanges">Requests and replies</Tabs.Tab>
            </Tabs.List>
            <div className={page.panelBody}>
              <Tabs.Panel value="trajectory">
                {loaded.trajectory === null ? (
                  <Notice>
                    {loaded.status === 'pending' || loaded.status === 'running'
                      ? 'The run has not ended. Its steps are stored when it ends.'
                      : 'No step of this run is stored: it ended before the model answered.'}
                  </Notice>
                ) : (
                  <TimeLanes
                    run={loaded.trajectory}
                    runName={model ?? 'This run'}
                    reference={reference.data ?? null}
                  />
                )}
                <div className={classes.columns}>
                  {loaded.trajectory !== null && (
                    <Timeline
                      detail={loaded}
                      trajectory={loaded.trajectory}
                      reference={reference.data ?? null}
                      suiteId={suiteId}
                      destructive={destructive}
                    />
                  )}
                  <div className={classes.side}>
                    <TaskChecks run={loaded} />
                    {loaded.facts !== null && (
                      <TaskTotals
                        facts={loaded.facts}
                        reference={reference.data?.detail.facts ?? null}
                      />
                    )}
                  </div>
                </div>
              </Tabs.Panel>
              <Tabs.Panel value="exchanges">
                <Exchanges id={id} runId={runId} user={loaded.trajectory?.user} />
              </Tabs.Panel>
            </div>
          </Tabs>
        )}
      </Loaded>
    </>
  );
}
