import { IconPlayerStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { runCauseLabels } from '../../../../../src-shared/display/runCauseTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCauseKind } from '../../../../../src-shared/domain/taskTools.ts';
import { OutcomeGlyph, OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { SegmentBar } from '../../../../ui/outcome/OutcomeBar.tsx';
import { outcomeTexts, type Outcome } from '../../../../../src-shared/display/outcomeTexts.ts';

/** The causes that are about no call, and look like a failed check. */
const ofCheck: readonly RunCauseKind[] = ['wrong_answer', 'judged', 'wrong_result'];

/** The sign of the outcome of a case that a cause is like; causes that occur together differ. */
const glyphOf = (kind: RunCauseKind) =>
  kind === 'stopped_early' ? (
    <IconPlayerStop size={13} stroke={2.4} aria-hidden />
  ) : (
    <OutcomeGlyph outcome={ofCheck.includes(kind) ? 'check_failed' : runCauseLabels[kind].like} />
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
    if (outcome === 'succeeded') add(outcomeTexts.passed.label, 'passed');
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
