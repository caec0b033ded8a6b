import { runCauseLabels } from '../../../../../src-shared/display/runCauseTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import type { RunCauseKind } from '../../../../../src-shared/domain/taskTools.ts';
import { OutcomeGlyph, OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { SegmentBar } from '../../../../ui/outcome/OutcomeBar.tsx';
import { outcomeTexts, type Outcome } from '../../../../../src-shared/display/outcomeTexts.ts';

/** What a model did, by the sign of the outcome of a case that it is like. */
export function CauseMark({ kind }: { kind: RunCauseKind }) {
  return <OutcomeMark outcome={runCauseLabels[kind].like} decorative />;
}

interface Segment {
  label: string;
  color: Outcome;
  count: number;
}

/** Runs as shares of one bar: passed, then by what the model did, then what has no score. */
export function TaskBar({ runs }: { runs: TaskReport['runs'] }) {
  const segments = new Map<string, Segment>();
  const add = (label: string, color: Outcome): void => {
    segments.set(label, { label, color, count: (segments.get(label)?.count ?? 0) + 1 });
  };
  for (const { outcome, cause } of runs) {
    if (outcome === 'succeeded') add(outcomeTexts.passed.label, 'passed');
    else if (cause !== null) add(runCauseLabels[cause.kind].label, runCauseLabels[cause.kind].like);
    else if (outcome === null) add(outcomeTexts.not_run.label, 'not_run');
    else add(outcomeTexts.not_scored.label, 'not_scored');
  }
  const rank = ({ color }: Segment): number =>
    color === 'passed' ? 0 : color === 'not_scored' ? 2 : color === 'not_run' ? 3 : 1;
  return (
    <SegmentBar
      thin={false}
      segments={[...segments.values()]
        .sort((a, b) => rank(a) - rank(b) || b.count - a.count)
        .map((segment) => ({ ...segment, glyph: <OutcomeGlyph outcome={segment.color} /> }))}
    />
  );
}
