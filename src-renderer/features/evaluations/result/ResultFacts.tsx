import { Link } from 'react-router';
import { offeredText } from '../../../../src-shared/display/sentToolsTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { SentTools } from '../../../../src-shared/domain/sentTools.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import { formatDuration } from '../../../ui/estimate/format.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { stateWords } from '../evaluationWords.ts';
import { OriginBadge } from '../list/EvaluationParts.tsx';
import { nameModels } from '../modelNames.ts';
import type { ResultNumbers } from '../live/liveNumbers.ts';

/** How many tools were offered, of how many servers where there are several, and how many adapted. */
function toolsText({ tools }: ToolSnapshot, sent: readonly SentTools[]): string {
  const servers = new Set(tools.map(({ server }) => server)).size;
  const offered = offeredText(sent) ?? counted(tools.length, 'tool');
  return servers > 1 ? `${counted(servers, 'server')}, ${offered}` : offered;
}

interface ResultFactsProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  snapshot: ToolSnapshot | null;
  sent: readonly SentTools[];
}

/** What was measured: what it was derived from, models, cases × repetitions, duration, tools, and date. */
export function ResultFacts({ evaluation, numbers, snapshot, sent }: ResultFactsProps) {
  const { settings, models, counts, origin, startedAt, completedAt } = evaluation;
  const perCase = Math.max(1, models.length) * settings.repetitions;
  const took =
    startedAt !== null && completedAt !== null
      ? Date.parse(completedAt) - Date.parse(startedAt)
      : null;
  return (
    <div className={classes.facts}>
      {origin !== null && (
        <span>
          <OriginBadge origin={origin} />
          {origin.evaluationId !== null && origin.number !== null && (
            <>
              {' '}
              of <Link to={`/evaluations/${origin.evaluationId}`}>#{origin.number}</Link>
            </>
          )}
        </span>
      )}
      {hasEnded(evaluation.state) && (
        <StatusBadge
          tone={stateWords[evaluation.state].tone}
          label={stateWords[evaluation.state].label}
        />
      )}
      {models.length === 1 && <PlainText text={[...nameModels(models).values()].join('')} />}
      <span className="ts-number">
        {models.length > 1 && `${counted(models.length, 'model')} × `}
        {counted(Math.round(counts.total / perCase), 'case')}
        {settings.repetitions > 1 && ` × ${settings.repetitions}`}
      </span>
      {hasEnded(evaluation.state) && (
        <span className="ts-number">{formatDuration(numbers.durationMs ?? took)}</span>
      )}
      {snapshot !== null && <span className="ts-number">{toolsText(snapshot, sent)}</span>}
      <Time iso={evaluation.createdAt} />
    </div>
  );
}
