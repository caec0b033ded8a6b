import { IconPlayerStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { capitalized } from '../../../../../src-shared/display/executionTexts.ts';
import { runCauseLabels } from '../../../../../src-shared/display/runCauseTexts.ts';
import { runEndText, taskOutcomeTexts } from '../../../../../src-shared/display/taskTexts.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCauseKind } from '../../../../../src-shared/domain/taskTools.ts';
import {
  OutcomeGlyph,
  OutcomeMark,
  type ShownOutcome,
  SegmentBar,
} from '../../../../ui/outcome/outcomes.tsx';
import tasks from '../../tasks.module.css';
import { outcomeTexts, type Outcome } from '../../../../../src-shared/display/outcomeTexts.ts';

/** The causes with the sign of an outcome of tasks; those that are about no call look like a failed check. */
const ofTask: Partial<Record<RunCauseKind, ShownOutcome>> = {
  ...{ wrong_answer: 'check_failed', judged: 'check_failed', wrong_result: 'check_failed' },
  ...{ loop: 'loop', limit: 'limit', refused: 'refused', no_answer: 'no_answer' },
};

/** The sign of the outcome that a cause is like; causes that occur together differ. */
const glyphOf = (kind: RunCauseKind) =>
  kind === 'stopped_early' ? (
    <IconPlayerStop size={13} stroke={2.4} aria-hidden />
  ) : (
    <OutcomeGlyph outcome={ofTask[kind] ?? runCauseLabels[kind].like} />
  );

/** What a model did. */
export const CauseMark = ({ kind }: { kind: RunCauseKind }) => (
  <OutcomeMark
    outcome={runCauseLabels[kind].like}
    label={runCauseLabels[kind].label}
    glyph={glyphOf(kind)}
    decorative
  />
);

/** How a run came out, with its sign: what the model did if it failed. */
export const RunOutcome = ({ run }: { run: Pick<TaskRunRow, 'outcome' | 'cause'> }) => (
  <span className={tasks.runOutcome} title={taskOutcomeTexts[run.outcome ?? 'not_run'].meaning}>
    {run.cause === null ? (
      <OutcomeMark outcome={run.outcome ?? 'not_run'} decorative />
    ) : (
      <CauseMark kind={run.cause.kind} />
    )}{' '}
    {capitalized(runEndText(run))}
  </span>
);

interface Segment {
  label: string;
  color: Outcome;
  glyph: ReactNode;
  count: number;
}

/** Runs as shares of one bar: passed, then by what the model did, then what has no score. */
export function TaskBar({ runs }: { runs: TaskReport['runs'] }) {
  const segments = new Map<string, Segment>();
  const add = (
    label: string,
    color: Outcome,
    glyph: ReactNode = <OutcomeGlyph outcome={color} />,
  ): void => {
    segments.set(label, { label, color, glyph, count: (segments.get(label)?.count ?? 0) + 1 });
  };
  for (const { outcome, cause } of runs) {
    if (outcome === 'succeeded') add(taskOutcomeTexts.succeeded.label, 'passed');
    else if (cause !== null) {
      const { label, like } = runCauseLabels[cause.kind];
      add(label, like, glyphOf(cause.kind));
    } else if (outcome === null) add(outcomeTexts.not_run.label, 'not_run');
    else add(outcomeTexts.not_scored.label, 'not_scored');
  }
  const rank = ({ color }: Segment): number =>
    color === 'passed' ? 0 : color === 'not_scored' ? 2 : color === 'not_run' ? 3 : 1;
  return (
    <SegmentBar
      thin={false}
      segments={[...segments.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count)}
    />
  );
}
