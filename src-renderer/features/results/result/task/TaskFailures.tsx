import { counted } from '../../../../../src-shared/display/numbers.ts';
import {
  failuresByModel,
  failuresByTool,
  runCauseText,
  type FailedTool,
} from '../../../../../src-shared/display/runCauseTexts.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { splitToolId } from '../../../../../src-shared/domain/labels.ts';
import type { TaskCause, TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { FixTool } from '../../NextStep.tsx';
import { openGroups } from '../../openGroups.ts';
import classes from '../../tasks.module.css';
import styles from './taskFailures.module.css';
import { CauseMark } from './CauseMark.tsx';
import { RunList } from './RunList.tsx';
import { CheckCounts, DidMatrix } from './TaskOverview.tsx';

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
    <div className={styles.halves}>
      <div className={classes.causes}>
        {groups.length > 0 && (
          <section className={classes.panel} aria-label="Failures by tool">
            <h2 className={classes.panelTitle}>Failures by tool</h2>
            {groups.map((group, at) => (
              <ToolGroup
                key={group.tool ?? ''}
                group={group}
                report={report}
                isOpen={open[at] ?? false}
              />
            ))}
          </section>
        )}
        {unscored.length > 0 && <NotScored causes={unscored} report={report} />}
      </div>
      <div className={classes.causes}>
        <DidMatrix report={report} />
        <CheckCounts report={report} />
      </div>
    </div>
  );
}

interface ToolGroupProps {
  group: FailedTool;
  report: TaskReport;
  isOpen: boolean;
}

function ToolGroup({ group: { tool, causes, runs }, report, isOpen }: ToolGroupProps) {
  const ids = new Set(causes.flatMap(({ runIds }) => runIds));
  const own = report.runs.filter(({ runId }) => ids.has(runId));
  const several = report.models.length > 1;
  return (
    <div className={classes.causeGroup}>
      {tool !== null && (
        <div className={styles.groupAction}>
          <FixTool
            evaluationId={report.evaluation.id}
            wrong={{ expected: tool, called: null }}
            model={worstModel(own, report)}
            size="compact-sm"
          />
        </div>
      )}
      <Fold
        openFirst={isOpen}
        title={
          tool === null ? (
            <b>No single tool</b>
          ) : (
            <code className={styles.toolName}>
              <PlainText text={splitToolId(tool).tool} />
            </code>
          )
        }
        hint={several ? failuresByModel(own, report.models) : `${counted(runs, 'run')} failed`}
      >
        {causes.map((cause) => (
          <div key={cause.cause}>
            {cause.did !== null && (
              <p className={styles.causeLine}>
                <CauseMark kind={cause.did.kind} />
                <span>
                  <RichSentence text={runCauseText(cause.did)} />
                </span>
                <span className="ts-number">{counted(cause.runs, 'run')}</span>
              </p>
            )}
            <RunList report={report} runIds={cause.runIds} />
          </div>
        ))}
      </Fold>
    </div>
  );
}

/** The model with most of these failures. */
export function worstModel(
  runs: readonly { modelSettingsId: string }[],
  { models }: Pick<TaskReport, 'models'>,
): string | null {
  const countOf = (id: string) =>
    runs.filter(({ modelSettingsId }) => modelSettingsId === id).length;
  return models.toSorted((a, b) => countOf(b.id) - countOf(a.id))[0]?.id ?? null;
}

function NotScored({ causes, report }: { causes: readonly TaskCause[]; report: TaskReport }) {
  const open = openGroups(causes.map(({ runs }) => runs));
  return (
    <section className={classes.panel} aria-label="Not scored, by reason">
      <h2 className={classes.panelTitle}>Not scored, by reason</h2>
      {causes.map(({ cause, runs, runIds }, at) => (
        <div key={cause} className={classes.causeGroup}>
          <Fold
            openFirst={open[at] ?? false}
            title={
              <b>
                <PlainText text={cause} />
              </b>
            }
            hint={counted(runs, 'run')}
          >
            <RunList report={report} runIds={runIds} withReason />
          </Fold>
        </div>
      ))}
    </section>
  );
}
