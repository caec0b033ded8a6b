import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { runCauseLabels, runCauseText } from '../../../../../src-shared/display/runCauseTexts.ts';
import { checkKindTexts } from '../../../../../src-shared/display/taskTexts.ts';
import { plainText } from '../../../../../src-shared/display/verdictTexts.ts';
import { checkKinds } from '../../../../../src-shared/domain/checkKinds.ts';
import { splitToolId } from '../../../../../src-shared/domain/labels.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import styles from './taskFailures.module.css';
import { TitledPanel } from '../../../../ui/panels/TitledPanel.tsx';

/** More tools than this are read in the list beside it. */
const maxTools = 12;
const maxColumns = 5;

/** What models did where a tool was needed: a row per tool at fault, a column per other deed. */
export function DidMatrix({ report: { runs } }: { report: TaskReport }) {
  const failed = runs.flatMap(({ cause }) =>
    cause === null || cause.tool === null ? [] : [{ ...cause, tool: cause.tool }],
  );
  const tools = byCount(failed.map(({ tool }) => tool)).slice(0, maxTools);
  const columnOf = ({ kind, called }: (typeof failed)[number]): string =>
    kind === 'wrong_tool' && called !== null
      ? splitToolId(called).tool
      : runCauseLabels[kind].label;
  const columns = byCount(failed.map(columnOf)).slice(0, maxColumns);
  if (tools.length === 0) return null;
  const passed = (tool: string): number =>
    runs.filter(
      ({ outcome, toolUse }) =>
        outcome === 'succeeded' &&
        toolUse?.tools.some((one) => one.tool === tool && one.calls > 0) === true,
    ).length;
  return (
    <TitledPanel title="Needed tool and what the model did">
      <div className={styles.scroll}>
        <table className={styles.did}>
          <thead>
            <tr>
              <th scope="col">needed ↓ did →</th>
              <th scope="col">called it and passed</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  <PlainText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tools.map((tool) => (
              <tr key={tool}>
                <th scope="row">
                  <PlainText text={splitToolId(tool).tool} />
                </th>
                <td className="ts-number">{formatCount(passed(tool))}</td>
                {columns.map((column) => {
                  const here = failed.filter(
                    (one) => one.tool === tool && columnOf(one) === column,
                  );
                  const [first] = here;
                  return (
                    <td
                      key={column}
                      className="ts-number"
                      data-outcome={first && runCauseLabels[first.kind].like}
                      title={first && plainText(runCauseText(first))}
                    >
                      {first === undefined ? '' : formatCount(here.length)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </TitledPanel>
  );
}

/** The texts without repetition, the most frequent first. */
const byCount = (texts: readonly string[]): string[] =>
  [...Map.groupBy(texts, (text) => text)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text]) => text);

/** How many checks passed, by what they look at, and destructive calls that none expects. */
export function CheckCounts({ report: { runs, tasks, summary } }: { report: TaskReport }) {
  const checks = runs.flatMap((run) =>
    run.checks.filter(({ passed, advisory }) => passed !== null && advisory !== true),
  );
  const passedOf = (some: typeof checks) => some.filter(({ passed }) => passed === true).length;
  const unexpected = tasks.some(({ expectsCalls }) => expectsCalls) ? summary.unwantedEffects : 0;
  if (checks.length === 0) return null;
  return (
    <TitledPanel
      title={`${formatCount(passedOf(checks))} of ${formatCount(checks.length)} checks passed`}
      label="Checks by kind"
    >
      <ul className={styles.checkCounts}>
        {checkKinds.map((kind) => {
          const own = checks.filter((check) => check.kind === kind);
          return own.length === 0 ? null : (
            <li key={kind}>
              {checkKindTexts[kind]}
              <span className="ts-number">
                {formatCount(passedOf(own))} of {formatCount(own.length)}
              </span>
            </li>
          );
        })}
        {unexpected > 0 && (
          <li>
            <span className={styles.warned}>
              <IconAlertTriangle size={15} stroke={2} aria-hidden /> Destructive calls that no check
              expects
            </span>
            <span className="ts-number">{formatCount(unexpected)}</span>
          </li>
        )}
      </ul>
    </TitledPanel>
  );
}
