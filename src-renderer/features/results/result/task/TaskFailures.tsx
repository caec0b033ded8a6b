import type { ReactNode } from 'react';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import {
  failuresByModel,
  failuresByTool,
  runCauseText,
  type FailedTool,
} from '../../../../../src-shared/display/runCauseTexts.ts';
import { countedUnit } from '../../../../../src-shared/display/taskTexts.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskCause, TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/notices.tsx';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { taskRunLink } from '../../links.ts';
import { FixTool } from '../../NextStep.tsx';
import { openGroups } from '../../openGroups.ts';
import classes from '../case/failures.module.css';
import { CauseHead, FailureLine, FoldedFailures } from '../FoldedFailures.tsx';
import { CauseMark } from './CauseMark.tsx';
import { CheckCounts, DidMatrix } from './TaskOverview.tsx';
import styles from './taskFailures.module.css';
import { TitledPanel } from '../../../../ui/panels/panels.tsx';

/** What models did in place of what was needed: by the tool at fault, then by cause, then by run. */
export function TaskFailures({ report }: { report: TaskReport }) {
  const { causes, evaluation } = report;
  const groups = failuresByTool(causes);
  const unscored = causes.filter(({ did }) => did === null);
  if (causes.length === 0)
    return (
      <EmptyState
        message={
          hasEnded(evaluation.state)
            ? 'Nothing failed. All runs shows the steps of each run.'
            : 'No run has failed yet. Failed runs appear here as they end.'
        }
      />
    );
  const open = openGroups(groups.map(({ runs }) => runs));
  return (
    <div className={classes.space}>
      <div className={classes.columns}>
        <div className={styles.stack}>
          {groups.length > 0 && (
            <TitledPanel title="Failures by tool">
              {groups.map((group, at) => (
                <ToolGroup
                  key={group.tool ?? ''}
                  group={group}
                  report={report}
                  isOpen={open[at] ?? false}
                />
              ))}
            </TitledPanel>
          )}
          {unscored.length > 0 && <NotScored causes={unscored} report={report} />}
        </div>
        <div className={styles.stack}>
          <DidMatrix report={report} />
          <CheckCounts report={report} />
        </div>
      </div>
    </div>
  );
}

function ToolGroup(props: { group: FailedTool; report: TaskReport; isOpen: boolean }) {
  const {
    group: { tool, name, causes },
    report,
    isOpen,
  } = props;
  const { evaluation, models } = report;
  const own = causes.flatMap((cause) => runsOf(cause, report));
  const failed = models.length > 1 ? failuresByModel(own, models) : formatCount(own.length);
  return (
    <FoldedFailures
      name={name}
      {...(tool !== null && { title: tool })}
      count={
        models.length > 1
          ? `${failed} failed`
          : `${counted(own.length, countedUnit(evaluation))} failed`
      }
      openFirst={isOpen}
      action={<FixTool evaluationId={evaluation.id} tool={tool} {...failingModels(own, report)} />}
    >
      {causes.map((cause) => (
        <Cause key={cause.cause} cause={cause} report={report} />
      ))}
    </FoldedFailures>
  );
}

/** A cause with its runs; one of a single run is one line. */
function Cause({ cause, report }: { cause: TaskCause; report: TaskReport }) {
  const { did } = cause;
  if (did === null) return null;
  const sentence = <RichSentence text={runCauseText(did)} />;
  const runs = runsOf(cause, report);
  const [only] = runs;
  return only !== undefined && runs.length === 1 ? (
    <ul className={classes.requests}>
      <RunLine run={only} report={report} mark={<CauseMark kind={did.kind} />} note={sentence} />
    </ul>
  ) : (
    <>
      <CauseHead mark={<CauseMark kind={did.kind} />} title={sentence} counts={[runs.length]} />
      <RunLines runs={runs} report={report} />
    </>
  );
}

/** The runs of a cause, in the order of the suite. */
function runsOf({ runIds }: TaskCause, { runs }: TaskReport): TaskRunRow[] {
  const ids = new Set(runIds);
  return runs.filter(({ runId }) => ids.has(runId));
}

/** A group lists no more than this; the tab of all runs has the rest. */
const runsPerGroup = 100;

interface RunLinesProps {
  runs: readonly TaskRunRow[];
  report: TaskReport;
  /** True where nothing above the list says why they failed. */
  withReason?: boolean;
}

function RunLines({ runs, report, withReason = false }: RunLinesProps) {
  return (
    <ul className={classes.requests}>
      {runs.slice(0, runsPerGroup).map((run) => (
        <RunLine
          key={run.runId}
          run={run}
          report={report}
          {...(withReason && run.reason !== null && { note: <PlainText text={run.reason} /> })}
        />
      ))}
      {runs.length > runsPerGroup && (
        <li className={classes.moreRequests}>
          {counted(runs.length - runsPerGroup, 'more run')}. All runs lists them.
        </li>
      )}
    </ul>
  );
}

interface RunLineProps {
  run: TaskRunRow;
  report: TaskReport;
  mark?: ReactNode;
  /** The cause, where it has no line of its own. */
  note?: ReactNode;
}

/** A failed run: its task, and the model and repetition where there are several. */
function RunLine({ run, report, mark, note }: RunLineProps) {
  const { models, evaluation } = report;
  const which = [
    models.length > 1 && models.find(({ id }) => id === run.modelSettingsId)?.label,
    evaluation.settings.repetitions > 1 && `repetition ${run.repetition}`,
  ].filter((part) => typeof part === 'string');
  return (
    <FailureLine
      to={taskRunLink(evaluation.id, run.runId)}
      title={run.taskName}
      mark={mark}
      text={<PlainText text={run.taskName} />}
      note={note}
      which={which.join(' · ')}
    />
  );
}

/** The models with these failures, and the one with most of them. */
export function failingModels(
  failed: readonly { modelSettingsId: string }[],
  { models }: Pick<TaskReport, 'models'>,
) {
  const countOf = (id: string) =>
    failed.filter(({ modelSettingsId }) => modelSettingsId === id).length;
  const failing = models.filter(({ id }) => countOf(id) > 0);
  return {
    models: failing,
    preset: failing.toSorted((a, b) => countOf(b.id) - countOf(a.id))[0]?.id ?? null,
  };
}

function NotScored({ causes, report }: { causes: readonly TaskCause[]; report: TaskReport }) {
  const open = openGroups(causes.map(({ runs }) => runs));
  return (
    <TitledPanel title="Not scored, by reason">
      {causes.map((cause, at) => (
        <FoldedFailures
          key={cause.cause}
          name={cause.cause}
          isText
          count={counted(cause.runs, countedUnit(report.evaluation))}
          openFirst={open[at] ?? false}
        >
          <RunLines report={report} runs={runsOf(cause, report)} withReason />
        </FoldedFailures>
      ))}
    </TitledPanel>
  );
}
