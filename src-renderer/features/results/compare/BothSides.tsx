import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';
import { useApi } from '../../../api/index.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { SidePanel } from '../../../ui/panels/SidePanel.tsx';
import { CallTable } from '../run/case/CallTable.tsx';
import { runSentence } from '../run/case/runSentence.ts';
import classes from '../evaluations.module.css';
import { OutcomeMark } from '../../../ui/outcome/OutcomeMark.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';

interface BothSidesProps {
  comparison: Comparison;
  one: CandidateComparison;
  row: ComparedCase;
  onClose: () => void;
}

/** One case with its outcome on both sides. */
export function BothSides({ comparison, one, row, onClose }: BothSidesProps) {
  return (
    <SidePanel title={row.name} subtitle={row.caseKey} onClose={onClose} contentKey={row.caseKey}>
      <div className={classes.stack}>
        <Foreign block text={row.query} />
        <Side
          title={`Before: #${comparison.baseline.number}`}
          evaluationId={comparison.baseline.evaluationId}
          runId={row.baselineRunId}
        />
        <Side
          title={`Now: #${one.number}`}
          evaluationId={one.evaluationId}
          runId={row.candidateRunId}
        />
      </div>
    </SidePanel>
  );
}

function Side({
  title,
  evaluationId,
  runId,
}: {
  title: string;
  evaluationId: string;
  runId: string | null;
}) {
  const { queries } = useApi();
  const run = useQuery(
    queries.evaluations.run.queryOptions({
      input: { id: evaluationId, runId: runId ?? '' },
      enabled: runId !== null,
    }),
  );
  return (
    <section aria-label={title}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>{title}</h3>
        {runId !== null && (
          <Button
            component={Link}
            to={`/evaluations/${evaluationId}/runs/${runId}`}
            size="xs"
            variant="default"
          >
            Open case
          </Button>
        )}
      </div>
      {runId === null ? (
        <p className={classes.quiet}>This evaluation doesn’t have the case.</p>
      ) : (
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
      )}
    </section>
  );
}
