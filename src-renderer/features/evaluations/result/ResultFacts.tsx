import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { formatDuration } from '../../../ui/estimate/format.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { nameModels } from '../modelNames.ts';
import type { ResultNumbers } from '../live/liveNumbers.ts';

interface ResultFactsProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  snapshotId: string | null;
}

/** What was measured: models, cases × repetitions, duration, tools, and date. */
export function ResultFacts({ evaluation, numbers, snapshotId }: ResultFactsProps) {
  const { settings, models, counts, startedAt, completedAt } = evaluation;
  const perCase = Math.max(1, models.length) * settings.repetitions;
  const took =
    startedAt !== null && completedAt !== null
      ? Date.parse(completedAt) - Date.parse(startedAt)
      : null;
  return (
    <div className={classes.facts}>
      <PlainText text={[...nameModels(models).values()].join('; ')} />
      <span className="ts-number">
        {counted(Math.round(counts.total / perCase), 'case')} × {settings.repetitions}
      </span>
      {hasEnded(evaluation.state) && (
        <span className="ts-number">{formatDuration(numbers.durationMs ?? took)}</span>
      )}
      {snapshotId !== null && (
        <span title={`Tools snapshot ${snapshotId}`}>
          snapshot <span className="ts-mono">{snapshotId.slice(0, 8)}…</span>
        </span>
      )}
      <Time iso={evaluation.createdAt} />
    </div>
  );
}
