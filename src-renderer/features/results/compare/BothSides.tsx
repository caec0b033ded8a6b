import { Action } from '../../../ui/fields/controls.tsx';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { OutcomeMark } from '../../../ui/outcome/outcomes.tsx';
import { SidePanel } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import classes from '../evaluations.module.css';
import { type RunAddress, runLink, taskRunLink } from '../links.ts';
import { CallTable } from '../run/case/CallTable.tsx';
import { runSentence } from '../run/case/runSentence.ts';

interface BothSidesProps {
  comparison: Comparison;
  one: CandidateComparison;
  row: ComparedCase;
  onClose: () => void;
}

/** One case or task with its outcome on both sides, and the way to its runs. */
export function BothSides({ comparison: { baseline }, one, row, onClose }: BothSidesProps) {
  const { unit } = baseline;
  const addressOf = (id: string, runId: string | null): RunAddress | null =>
    runId === null ? null : { id, runId };
  const before = addressOf(baseline.evaluationId, row.baselineRunId);
  const after = addressOf(one.evaluationId, row.candidateRunId);
  return (
    <SidePanel title={row.name} subtitle={row.caseKey} onClose={onClose} contentKey={row.caseKey}>
      <div className={classes.stack}>
        <Foreign block text={row.query} />
        <Side
          title={`Before: #${baseline.number}`}
          unit={unit}
          address={before}
          ended={row.before}
        />
        <Side title={`Now: #${one.number}`} unit={unit} address={after} ended={row.after} />
        {unit === 'task' && before !== null && after !== null && (
          <Action label="Compare step by step" to={taskRunLink(after.id, after.runId, before)} />
        )}
      </div>
    </SidePanel>
  );
}

interface SideProps {
  title: string;
  unit: EvaluationUnit;
  /** Null if this side has no run of the case or task. */
  address: RunAddress | null;
  /** How its repetitions ended. */
  ended: readonly string[];
}

function Side({ title, unit, address, ended }: SideProps) {
  return (
    <section aria-label={title}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>{title}</h3>
        {address !== null && (
          <Action
            label={unit === 'task' ? 'Open run' : 'Open case'}
            to={runLink(address)}
            size="xs"
          />
        )}
      </div>
      {address === null ? (
        <p className={classes.quiet}>This evaluation doesn’t have the {unit}.</p>
      ) : unit === 'task' ? (
        <PlainText as="p" text={ended.join(', ')} />
      ) : (
        <CaseRun address={address} />
      )}
    </section>
  );
}

function CaseRun({ address }: { address: RunAddress }) {
  const run = useRead((ask) => ask.evaluations.run, { input: address });
  return (
    <Loaded query={run} blocks={[80]}>
      {(detail) => (
        <>
          <p className={classes.count}>
            <OutcomeMark outcome={detail.row.outcome} />
            <span>
              <RichSentence text={runSentence(detail)} />
            </span>
          </p>
          <div className="ts-panel">
            <CallTable {...detail} />
          </div>
        </>
      )}
    </Loaded>
  );
}
