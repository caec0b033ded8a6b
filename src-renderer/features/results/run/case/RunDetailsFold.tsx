import { tokenSourceTexts } from '../../../../../src-shared/domain/metrics.ts';
import { outcomeTexts } from '../../../../../src-shared/display/outcomeTexts.ts';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import type { ReactNode } from 'react';
import { ClassMark } from '../../../../ui/badges/ClassMark.tsx';
import { Tags } from '../../../../ui/badges/Tags.tsx';
import {
  formatCount,
  formatDuration,
  formatExact,
  formatPercent,
  formatRate,
  formatUsd,
} from '../../../../../src-shared/display/numbers.ts';
import { Fields } from '../../../../ui/fields/Fields.tsx';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { classWords, metricMeaning, methodWords } from '../../evaluationWords.ts';
import { ScoreHistory } from './ScoreHistory.tsx';

interface Fact {
  name: string;
  value: ReactNode;
  meaning?: string;
}

/** How the run was made and scored: everything that only matters on a second look. */
export function RunDetailsFold({ detail }: { detail: RunDetail }) {
  return (
    <Fold title="Run details" hint={hintOf(detail)}>
      <Fields rows={[...scoreFacts(detail), ...requestFacts(detail)]} />
      <ScoreHistory history={detail.history} current={detail.scorer} />
    </Fold>
  );
}

/** The builtin selector has no temperature, tokens or price. */
function isBuiltin({ provider }: RunDetail['model']): boolean {
  return provider === 'builtin';
}

function hintOf({ row, model }: RunDetail): string {
  const { outcome, confidence } = row;
  return [
    outcomeTexts[outcome].label,
    ...(isBuiltin(model) ? [] : [`temperature ${model.sent['temperature'] ?? 'not sent'}`]),
    confidence === null ? 'confidence not reported' : `confidence ${formatRate(confidence.score)}`,
    ...(row.repetition > 1 ? [`repetition ${row.repetition}`] : []),
  ].join(' · ');
}

function scoreFacts({ row, score }: RunDetail): Fact[] {
  const { classification, confidence } = row;
  const confidenceFact = {
    name: 'Confidence',
    meaning: metricMeaning.confidence,
    value:
      confidence === null
        ? 'Not reported'
        : `${formatRate(confidence.score)} (${methodWords[confidence.method]})`,
  };
  if (score === null || classification === null) return [confidenceFact];
  const { outcome, word, meaning } = classWords[classification];
  const valid = score.parameterTypeConformance;
  return [
    {
      name: 'Class',
      meaning,
      value: (
        <>
          <ClassMark outcome={outcome} letters={classification} /> {word}
        </>
      ),
    },
    { name: 'Explanation', value: <Foreign text={score.reasoning} limit={2000} /> },
    ...(classification === 'TP'
      ? [
          {
            name: 'Arguments sent',
            meaning: metricMeaning.completeness,
            value: formatPercent(score.parameterCompleteness),
          },
          {
            name: 'Arguments as expected',
            meaning: metricMeaning.correctness,
            value: formatPercent(score.parameterCorrectness),
          },
          {
            name: 'Valid by input schema',
            value: valid === null ? 'Not decided' : valid ? 'Yes' : 'No',
          },
        ]
      : []),
    confidenceFact,
  ];
}

function requestFacts(detail: RunDetail): Fact[] {
  const { row, model, details, case: content } = detail;
  const facts: Fact[] = [
    {
      name: 'Duration',
      meaning: metricMeaning.latency,
      value: formatDuration(row.executionTimeMs),
    },
  ];
  if (!isBuiltin(model)) facts.push(...modelFacts(detail));
  facts.push({ name: 'Repetition', value: formatCount(row.repetition) });
  if (row.attempt > 1) facts.push({ name: 'Attempt', value: formatCount(row.attempt) });
  if (details !== null && details.turns > 1)
    facts.push({ name: 'Turns', value: formatCount(details.turns) });
  if (details?.stopped != null)
    facts.push({ name: 'Finish reason by turn', value: details.stopped });
  if (details?.followUp != null)
    facts.push({
      name: 'Confidence reply',
      value: <Foreign text={details.followUp} limit={300} />,
    });
  if (details !== null && details.loaded.length > 0)
    facts.push({
      name: 'Loaded by tool search',
      value: <Foreign text={details.loaded.join(', ')} limit={600} />,
    });
  if (content.tags.length > 0) facts.push({ name: 'Tags', value: <Tags values={content.tags} /> });
  return facts;
}

function modelFacts({ model, usage, costUsd }: RunDetail): Fact[] {
  const { temperature } = model.sent;
  return [
    {
      name: 'Temperature',
      value: typeof temperature === 'number' ? formatExact(temperature) : 'Not sent',
    },
    {
      name: 'Tokens',
      value:
        usage === null
          ? 'Not reported'
          : `${formatCount(usage.input)} in, ${formatCount(usage.output)} out ` +
            `(${tokenSourceTexts[usage.source]})`,
    },
    { name: 'Cost', value: costUsd === null ? 'No price is set' : formatUsd(costUsd) },
  ];
}
