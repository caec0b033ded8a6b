import { IconRefresh } from '@tabler/icons-react';
import { useNavigate, useParams } from 'react-router';
import { Action } from '../../../../ui/fields/controls.tsx';
import { modeTexts } from '../../../../../src-shared/display/executionTexts.ts';
import {
  agreementText,
  judgeCostText,
  judgeStandingText,
  unusableText,
} from '../../../../../src-shared/display/judgeTexts.ts';
import { offeredMeaning, offeredText } from '../../../../../src-shared/display/sentToolsTexts.ts';
import { failedTasks, firstChange } from '../../../../../src-shared/display/taskTexts.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskEvaluation } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { JudgeAgreement, TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { Notice } from '../../../../ui/notices/notices.tsx';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import type { Listed } from '../../list/listed.ts';
import type { CompareAddress } from '../../compare/compareAddress.ts';
import { comparisonOf } from '../../compare/ComparePanel.tsx';
import { useTaskReport } from '../../live/useTaskReport.ts';
import { SentToolsNotice, SentToolsOfModels } from '../../SentToolsList.tsx';
import classes from '../../tasks.module.css';
import type { ChangeAddress, ResultAddress } from '../case/resultAddress.ts';
import { ResultActions } from '../ResultActions.tsx';
import { NumberSections, ResultTabs, useResultAddress } from '../ResultTabs.tsx';
import { DerivedResults } from '../DerivedResults.tsx';
import { LoadedResult, ResultFacts, ResultPage, RunProgress } from '../ResultPage.tsx';
import { TaskFailures } from './TaskFailures.tsx';
import { TaskRuns } from './TaskRuns.tsx';
import { TaskTools } from './TaskTools.tsx';
import { TaskVerdict } from './TaskVerdict.tsx';
import { taskNumberRows } from '../../../../../src-shared/display/taskNumbers.ts';
import { spendText } from '../../../../../src-shared/display/spendTexts.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';
import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatPercent, percentInterval } from '../../../../../src-shared/display/numbers.ts';
import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
  succeededText,
} from '../../../../../src-shared/display/taskGroupTexts.ts';
import type { TaskGroup, TaskGrouping } from '../../../../../src-shared/domain/taskGroup.ts';
import {
  type Column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../../../ui/table/DataTable.tsx';
import { taskRunLink } from '../../links.ts';

type GroupRow = TaskGroup & { id: string; model: string };

/** How often each task, or all with a tag, server or difficulty, succeeded, and which checks failed. */
function TaskGroups({ report: { evaluation, models, runs } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const [by, setBy] = useState<TaskGrouping>('task');
  const all = useMemo(
    () =>
      models.flatMap(({ id, label, groups }) =>
        groups.map((row) => ({ ...row, id, model: label })),
      ),
    [models],
  );
  const known = [...new Set(all.map((row) => row.by))];
  return (
    <>
      {known.length > 1 && (
        <SegmentedControl
          mb="sm"
          aria-label="Put runs together by"
          data={known.map((value) => ({ value, label: groupingTexts[value] }))}
          value={by}
          onChange={setBy}
        />
      )}
      <DataTable
        label="Tasks and checks"
        columns={columnsOf(by, models.length > 1)}
        rows={all.filter((row) => row.by === by)}
        rowKey={({ name, keys, id }) => JSON.stringify([name, keys, id])}
        onOpen={({ failures, keys, id }) => {
          const isOwn = (run: (typeof runs)[number]) =>
            run.modelSettingsId === id && keys.includes(run.taskKey);
          const runId = failures[0]?.runId ?? runs.find(isOwn)?.runId;
          if (runId !== undefined) void navigate(taskRunLink(evaluation.id, runId));
        }}
        rowHeight={40}
        empty="No task is planned."
      />
    </>
  );
}

const columnsOf = (by: TaskGrouping, several: boolean): Column<GroupRow>[] => [
  textColumn('name', groupingTexts[by], 'minmax(130px, 1fr)', ({ name }) => name),
  ...(several ? [textColumn<GroupRow>('model', 'Model', 130, ({ model }) => model)] : []),
  numberColumn('succeeded', 'Succeeded', 110, ({ success }) => success.value, {
    text: (_rate, row) => succeededText(row),
  }),
  numberColumn('rate', 'Success rate', 180, ({ success }) => success.value, {
    hint: 'Of one task with Wilson’s 95% interval, of several with tasks as clusters.',
    text: (rate, { success }) => (
      <>
        {formatPercent(rate)} <span className={classes.muted}>{percentInterval(success)}</span>
      </>
    ),
  }),
  textColumn('checks', 'Failed checks', 'minmax(140px, 1fr)', failedChecksText, { sorts: false }),
  textColumn('failures', 'Failures', 'minmax(190px, 1.6fr)', groupFailuresText, { sorts: false }),
];

const noModels: readonly { id: string }[] = [];

/** The result of a task evaluation: how many tasks succeeded, why others did not, and every run. */
export function TaskResultPage() {
  const { id = '' } = useParams();
  const { report, live, error } = useTaskReport(id);
  const [address, change] = useResultAddress(report.data?.evaluation.models ?? noModels);
  return (
    <LoadedResult unit="task" query={report}>
      {(loaded) => {
        const { evaluation, runs, sentTools } = loaded;
        const one: Listed = { unit: 'task', evaluation };
        const tools = offeredText(sentTools);
        return (
          <ResultPage
            one={one}
            facts={
              <ResultFacts one={one} entries={new Set(runs.map(({ position }) => position)).size}>
                <span>execution mode {modeTexts[evaluation.settings.mode].label}</span>
                {tools !== null && <Term meaning={offeredMeaning}>{tools}</Term>}
              </ResultFacts>
            }
            actions={<TaskActions evaluation={evaluation} compared={address.compared} />}
            error={error}
            listings={live?.servers ?? []}
            sent={sentTools}
            snapshotId={evaluation.snapshotId}
          >
            <SentToolsNotice accounts={sentTools} models={evaluation.models} />
            <ComparedVerdict report={loaded} address={address} onChange={change} />
            {!hasEnded(evaluation.state) && (
              <div className={classes.progress}>
                <RunProgress
                  one={one}
                  live={live}
                  runs={{ open: evaluation.outcomes.not_run, total: runs.length }}
                />
              </div>
            )}
            <TaskTabs report={loaded} address={address} onChange={change} />
          </ResultPage>
        );
      }}
    </LoadedResult>
  );
}

interface TaskPartProps {
  report: TaskReport;
  address: ResultAddress;
  onChange: ChangeAddress;
}

/** The verdict with its comparison, which begins with the previous result or what was repeated. */
function ComparedVerdict({ report, address: { compared }, onChange }: TaskPartProps) {
  const { evaluation } = report;
  const baseId = evaluation.settings.whatIf?.baseId ?? firstChange(report)?.evaluationId ?? null;
  const { chip, comparison } = comparisonOf({
    one: { unit: 'task', evaluation },
    ...{ address: compared, preset: null, baseId },
    onChange: (next) => onChange({ compared: next }),
  });
  return <TaskVerdict report={report} {...(chip && { compare: chip })} comparison={comparison} />;
}

function TaskActions(props: { evaluation: TaskEvaluation; compared: CompareAddress | null }) {
  const { evaluation, compared } = props;
  const { suiteId } = evaluation;
  return (
    <ResultActions
      one={{ unit: 'task', evaluation }}
      first={
        suiteId !== null && (
          <Action
            label="Run again"
            to={`/results/new?suite=${encodeURIComponent(suiteId)}&run=tasks`}
            icon={IconRefresh}
          />
        )
      }
      model={null}
      compared={compared}
    />
  );
}

/** Everything behind the verdict of a task evaluation. */
function TaskTabs({ report, address, onChange }: TaskPartProps) {
  const parts = {
    models: <TaskNumbers report={report} />,
    tools: (
      <>
        <SentToolsOfModels accounts={report.sentTools} models={report.evaluation.models} />
        <TaskTools report={report} />
      </>
    ),
    checks: (
      <>
        {report.judge !== null && <JudgeNotice agreement={report.judge} />}
        <TaskGroups report={report} />
      </>
    ),
    derived: <DerivedResults unit="task" id={report.evaluation.id} />,
  };
  return (
    <ResultTabs
      failed={failedTasks(report.evaluation.outcomes)}
      runs={report.runs.length}
      panels={{
        failures: <TaskFailures report={report} />,
        runs: <TaskRuns report={report} />,
        numbers: <NumberSections parts={parts} wanted={address.section} onChange={onChange} />,
      }}
      shown={address.tab}
      onChange={onChange}
    />
  );
}

/** Who judged, how often people agreed with it, and whether its verdicts count. */
function JudgeNotice({ agreement }: { agreement: JudgeAgreement }) {
  return (
    <Notice>
      Judge <PlainText text={agreement.judge} />: {agreementText(agreement)}{' '}
      {judgeStandingText(agreement)}
      {unusableText(agreement)}
      {judgeCostText(agreement)} To label a run, open it and choose Yes or No at its judge check.
    </Notice>
  );
}

/** The numbers of each model side by side, from success to cost and attacks. */
function TaskNumbers({ report }: { report: TaskReport }) {
  const { models, spend } = report;
  const cost = spendText(spend);
  return (
    <PlainTable
      label="Numbers of the models"
      named
      least={560}
      caption={
        cost !== null &&
        `Cost of all requests, of every attempt and with judge and simulated users: ${cost}.`
      }
      heads={['Number', ...models.map(({ id, label }) => <PlainText key={id} text={label} />)]}
      rows={taskNumberRows(report).map(({ label, meaning, values }) => ({
        key: label,
        cells: [
          <Term meaning={meaning}>{label}</Term>,
          ...values.map(({ text, note }) => (
            <span className="ts-number">
              {text} {note !== '' && <span className={classes.muted}>{note}</span>}
            </span>
          )),
        ],
      }))}
    />
  );
}
