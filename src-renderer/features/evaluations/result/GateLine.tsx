import { useQuery } from '@tanstack/react-query';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { GateOutcome } from '../../../../src-shared/domain/gate.ts';
import { gateNumbers } from '../../../../src-shared/metrics/gateNumbers.ts';
import { checkThresholds, describeThreshold } from '../../../../src-shared/metrics/gates.ts';
import { useApi } from '../../../api/index.ts';
import { NOT_DEFINED, formatCount, formatExact } from '../../../ui/estimate/format.ts';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import classes from '../evaluations.module.css';

const tones: Record<GateOutcome, { tone: StatusTone; word: string }> = {
  passed: { tone: 'good', word: 'passed' },
  failed: { tone: 'bad', word: 'failed' },
  not_decided: { tone: 'idle', word: 'not decided' },
};

/** The thresholds of this evaluation with their values. They cover all its models. */
export function GateLine({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const { gates } = evaluation.settings;
  const ended = hasEnded(evaluation.state);
  const summary = useQuery(
    queries.evaluations.summary.queryOptions({
      input: { id: evaluation.id },
      enabled: ended && gates.length > 0,
    }),
  );
  if (gates.length === 0 || summary.data === undefined) return null;
  const judged = checkThresholds(gateNumbers(summary.data), gates);
  return (
    <div className={classes.confused} role="group" aria-label="Gates">
      <span className={classes.quiet}>Gates:</span>
      {judged.map(({ threshold, value, outcome }) => (
        <span
          key={describeThreshold(threshold)}
          className={classes.pair}
          title={
            outcome === 'not_decided'
              ? 'The metric is undefined, so this gate is undecided.'
              : undefined
          }
        >
          <StatusBadge
            tone={tones[outcome].tone}
            label={`${describeThreshold(threshold)}: ${tones[outcome].word}`}
          />{' '}
          <b>{shown(value)}</b>
        </span>
      ))}
    </div>
  );
}

function shown(value: number | null): string {
  if (value === null) return NOT_DEFINED;
  return Number.isInteger(value) && value > 1 ? formatCount(value) : formatExact(value);
}
