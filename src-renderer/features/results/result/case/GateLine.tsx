import { useQueries } from '@tanstack/react-query';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { GateOutcome } from '../../../../../src-shared/domain/gate.ts';
import { modelLabel } from '../../../../../src-shared/domain/provider.ts';
import { gateNumbers } from '../../../../../src-shared/metrics/gateNumbers.ts';
import { checkThresholds, describeThreshold } from '../../../../../src-shared/metrics/gates.ts';
import { useApi } from '../../../../api/index.ts';
import {
  NOT_DEFINED,
  formatCount,
  formatExact,
} from '../../../../../src-shared/display/numbers.ts';
import { StatusBadge, type StatusTone } from '../../../../ui/badges/StatusBadge.tsx';
import classes from '../../evaluations.module.css';

const tones: Record<GateOutcome, { tone: StatusTone; word: string }> = {
  passed: { tone: 'good', word: 'passed' },
  failed: { tone: 'bad', word: 'failed' },
  not_decided: { tone: 'idle', word: 'not decided' },
};

/** The thresholds of this evaluation with their values, for each of its models. */
export function GateLine({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const { gates, pooledGates } = evaluation.settings;
  const ended = hasEnded(evaluation.state);
  const isOne = pooledGates || evaluation.models.length === 1;
  const models = isOne ? [null] : evaluation.models;
  const summaries = useQueries({
    queries: models.map((model) =>
      queries.evaluations.summary.queryOptions({
        input: { id: evaluation.id, modelSettingsId: model?.id ?? null },
        enabled: ended && gates.length > 0,
      }),
    ),
  });
  const judged = summaries.flatMap(({ data }, at) => {
    const model = models[at] ?? null;
    const name = model === null ? '' : `${modelLabel(model)}: `;
    return data === undefined
      ? []
      : checkThresholds(gateNumbers(data), gates).map((one) => ({
          ...one,
          label: `${name}${describeThreshold(one.threshold)}`,
        }));
  });
  if (judged.length === 0) return null;
  return (
    <div className={classes.confused} role="group" aria-label="Gates">
      <span className={classes.quiet}>Gates:</span>
      {judged.map(({ label, value, outcome }) => (
        <span
          key={label}
          className={classes.pair}
          title={
            outcome === 'not_decided'
              ? 'The metric is undefined, so this gate is undecided.'
              : undefined
          }
        >
          <StatusBadge tone={tones[outcome].tone} label={`${label}: ${tones[outcome].word}`} />{' '}
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
