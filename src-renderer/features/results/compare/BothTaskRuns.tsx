import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';
import { SidePanel } from '../../../ui/panels/SidePanel.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from '../evaluations.module.css';
import { taskRunLink } from '../links.ts';

interface BothTaskRunsProps {
  comparison: Comparison;
  one: CandidateComparison;
  row: ComparedCase;
  onClose: () => void;
}

/** How a task ended on both sides, and the way to its two trajectories. */
export function BothTaskRuns({ comparison: { baseline }, one, row, onClose }: BothTaskRunsProps) {
  const { baselineRunId: before, candidateRunId: after } = row;
  return (
    <SidePanel title={row.name} subtitle={row.caseKey} onClose={onClose} contentKey={row.caseKey}>
      <div className={classes.stack}>
        <Foreign block text={row.query} />
        <Side
          title={`Before: #${baseline.number}`}
          ended={row.before}
          to={before === null ? null : taskRunLink(baseline.evaluationId, before)}
        />
        <Side
          title={`Now: #${one.number}`}
          ended={row.after}
          to={after === null ? null : taskRunLink(one.evaluationId, after)}
        />
        {before !== null && after !== null && (
          <Button
            component={Link}
            to={taskRunLink(one.evaluationId, after, { id: baseline.evaluationId, runId: before })}
            variant="default"
          >
            Compare step by step
          </Button>
        )}
      </div>
    </SidePanel>
  );
}

interface SideProps {
  title: string;
  ended: readonly string[];
  /** Null if this side has no run of the task. */
  to: string | null;
}

function Side({ title, ended, to }: SideProps) {
  return (
    <section aria-label={title}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>{title}</h3>
        {to !== null && (
          <Button component={Link} to={to} size="xs" variant="default">
            Open run
          </Button>
        )}
      </div>
      {to === null ? (
        <p className={classes.quiet}>This evaluation doesn’t have the task.</p>
      ) : (
        <p>
          <PlainText text={ended.join(', ')} />
        </p>
      )}
    </section>
  );
}
