import { Group } from '@mantine/core';
import { useParams } from 'react-router';
import { useAddress } from '../../../../ui/frame/useAddress.ts';
import { modeTexts } from '../../../../../src-shared/display/executionTexts.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { Action } from '../../../../ui/fields/controls.tsx';
import {
  showDone,
  useAct,
  EmptyState,
  ErrorNotice,
  Loaded,
  Notice,
} from '../../../../ui/notices/notices.tsx';
import { firstCharacters } from '../../../../ui/text/Foreign.tsx';
import { PageTabs } from '../../../../ui/frame/PageTabs.tsx';
import { RunPage } from '../RunPage.tsx';
import { TaskAdvice, SameFailure } from './TaskAdvice.tsx';
import { taskRunLink } from '../../links.ts';
import { OutcomeMark } from '../../../../ui/outcome/outcomes.tsx';
import { CauseMark } from '../../result/task/CauseMark.tsx';
import { FixTool } from '../../NextStep.tsx';
import { RunPickers } from './RunPickers.tsx';
import { TaskChecks } from './TaskChecks.tsx';
import classes from '../../tasks.module.css';
import { taskRunSentence } from '../../../../../src-shared/display/taskRunSentence.ts';
import { TimeLanes } from './TimeLanes.tsx';
import { Timeline } from './Timeline.tsx';
import { useReference, useTaskRun } from './useReference.ts';
import { useTaskReport } from '../../live/useTaskReport.ts';
import { Fold, TitledPanel } from '../../../../ui/panels/panels.tsx';
import { CodeView, JsonText } from '../../../../ui/text/CodeView.tsx';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import type { Trajectory, TaskCheck } from '../../../../../src-shared/domain/task.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';
import { taskRunColumns } from '../../../../../src-shared/domain/taskRunColumns.ts';
import type { TaskFacts } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { measuredText } from '../../measuredColumns.tsx';

/** A title is read at a glance; the checks beside the trajectory have the whole reason. */
const maxTitleLength = 200;

/**
 * The trajectory of one task run: what happened step by step, what the checks say, and where it
 * differs from another run of the task.
 */
export function TaskRunPage() {
  const { id = '', runId = '' } = useParams();
  const [params, change] = useAddress();
  const suites = useRead((ask) => ask.suites.list);
  const { report } = useTaskReport(id);
  const run = useTaskRun({ id, runId });
  const reference = useReference({ id, runId }, params.get('with'));
  const { evaluation, models } = report.data ?? {};
  const detail = run.data;
  const model = models?.find((one) => one.id === detail?.modelSettingsId)?.label;
  const failures = report.data?.runs.filter(({ cause }) => cause !== null) ?? [];
  const place = failures.findIndex((one) => one.runId === runId);
  const stepTo = (at: number) => {
    const to = failures[at];
    return to === undefined ? null : taskRunLink(id, to.runId);
  };
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
  const { client, queries, reread } = useApi();
  const keep = useAct(() => client.evaluations.keepSolution({ id, runId }), {
    onSuccess: async ({ solution }) => {
      await reread(queries.suites);
      showDone(`Kept ${counted(solution.length, 'call')} as the solution of the task.`);
    },
  });
  // A deleted suite can't get a case.
  const suiteId = suites.data?.find(({ id: one }) => one === evaluation?.suiteId)?.id ?? null;
  const destructive = new Set(
    report.data?.executed.filter((tool) => tool.destructive).map(({ tool }) => tool),
  );
  return (
    <RunPage
      unit="task"
      evaluationId={id}
      evaluation={evaluation}
      list={{
        noun: 'failure',
        place: place < 0 ? '' : `Failure ${place + 1} of ${failures.length}`,
        previous: stepTo(place - 1),
        next: stepTo(place + 1),
      }}
      run={run}
      nameOf={({ taskName }) => taskName}
      titleOf={(loaded) => ({
        mark:
          loaded.cause === null ? (
            <OutcomeMark outcome={loaded.outcome ?? 'not_run'} decorative />
          ) : (
            <CauseMark kind={loaded.cause.kind} />
          ),
        text: taskRunSentence(loaded).map((part) =>
          typeof part === 'string' ? firstCharacters(part, maxTitleLength) : part,
        ),
      })}
      facts={facts.join(' · ')}
      actions={
        detail && (
          <>
            {detail.outcome === 'succeeded' && suiteId !== null && (
              <Action
                label="Keep these calls as the solution"
                title="Tries them once on servers of their own, without a model."
                run={keep}
              />
            )}
            {detail.cause !== null && (
              <FixTool
                evaluationId={id}
                tool={detail.cause.tool}
                models={[{ id: detail.modelSettingsId, label: '' }]}
                preset={detail.modelSettingsId}
                prominent="filled"
              />
            )}
          </>
        )
      }
      above={<ErrorNotice error={reference.error} title="Couldn't load the run to compare with" />}
    >
      {(loaded) => (
        <PageTabs
          key={loaded.runId}
          label="Run"
          tabs={[
            {
              value: 'trajectory',
              name: 'Trajectory',
              panel: (
                <>
                  <Group gap="sm" mb="sm">
                    <RunPickers
                      run={{ id, runId }}
                      reference={reference.address}
                      report={report.data}
                    />
                  </Group>
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
                      {loaded.cause !== null && report.data !== undefined && (
                        <>
                          <TaskAdvice report={report.data} run={loaded} cause={loaded.cause} />
                          <SameFailure report={report.data} run={loaded} cause={loaded.cause} />
                        </>
                      )}
                      {loaded.facts !== null && (
                        <TaskTotals
                          facts={loaded.facts}
                          checks={loaded.content.checks}
                          reference={reference.data?.detail.facts ?? null}
                        />
                      )}
                    </div>
                  </div>
                </>
              ),
            },
            {
              value: 'exchanges',
              name: 'Requests and replies',
              panel: <Exchanges id={id} runId={runId} user={loaded.trajectory?.user} />,
            },
          ]}
          shown={params.get('tab') === 'exchanges' ? 'exchanges' : 'trajectory'}
          onShow={(tab) => change({ tab: tab === 'exchanges' ? tab : null })}
        />
      )}
    </RunPage>
  );
}

interface ExchangesProps {
  id: string;
  runId: string;
  /** Absent: no simulated user was asked. */
  user: Trajectory['user'];
}

/** What was sent to the model and received in each step, without secrets. */
function Exchanges({ id, runId, user }: ExchangesProps) {
  const exchanges = useRead((ask) => ask.evaluations.exchanges, { input: { id, runId } });
  return (
    <Loaded query={exchanges} blocks={[40, 40, 40]} label="Loading requests and replies">
      {(list) =>
        list.length === 0 ? (
          <EmptyState message="No request was sent to a model in this run." />
        ) : (
          <TitledPanel label="Requests and replies">
            {list.map(({ request, response }, index) => (
              <Fold
                key={index}
                title={`Step ${index + 1}`}
                hint={`${counted(request.length, 'character')} sent, ${counted(response.length, 'character')} received`}
              >
                <CodeView text={request} label={`Request of step ${index + 1}`} />
                <CodeView text={response} label={`Reply of step ${index + 1}`} />
              </Fold>
            ))}
            {user?.turns.map(({ request, response }, index) => (
              <Fold
                key={`user-${index}`}
                title={`Reply ${index + 1} of the simulated user`}
                hint={user.model}
              >
                <JsonText value={request} label={`Request for reply ${index + 1} of the user`} />
                <JsonText value={response} label={`Reply ${index + 1} of the user`} />
              </Fold>
            ))}
          </TitledPanel>
        )
      }
    </Loaded>
  );
}

/** What a reader asks for first; the others follow in their order. */
const leading = ['steps', 'tool_calls', 'time_ms'];
const columns = [
  ...taskRunColumns.filter(({ name }) => leading.includes(name)),
  ...taskRunColumns.filter(({ name }) => !leading.includes(name)),
];

interface TaskTotalsProps {
  facts: TaskFacts;
  checks: readonly Pick<TaskCheck, 'kind'>[];
  /** Those of the run that it is compared with. */
  reference: TaskFacts | null;
}

/** What a run took, and what it did besides. */
function TaskTotals({ facts, checks, reference }: TaskTotalsProps) {
  // Without a calls check, nobody says which calls are expected.
  const expectsCalls = checks.some(({ kind }) => kind === 'calls');
  const both = [facts, ...(reference ? [reference] : [])];
  const rows = columns.flatMap(({ name, value, total }) =>
    total === undefined ||
    (name === 'unwanted_effects' && !expectsCalls) ||
    !both.some((run) => total.isIn?.(run) ?? true)
      ? []
      : [
          {
            name,
            title: total.title,
            cells: both.map((run) => measuredText(total.shownAs, value(run))),
          },
        ],
  );
  return (
    <TitledPanel label="Totals">
      <PlainTable
        named
        withTableBorder={false}
        heads={['Totals', 'This run', ...(reference === null ? [] : ['Other run'])]}
        numeric={[1, 2]}
        rows={rows.map(({ name, title, cells }) => ({ key: name, cells: [title, ...cells] }))}
      />
    </TitledPanel>
  );
}
