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
import { Fold } from '../../../../ui/panels/panels.tsx';
import { Foreign, visibleText } from '../../../../ui/text/Foreign.tsx';
import { classWords, metricMeaning, methodWords } from '../../evaluationWords.ts';
import { Text } from '@mantine/core';
import { Term } from '../../../../ui/text/Term.tsx';
import { Time } from '../../../../ui/text/Time.tsx';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';
import { expectedName } from '../../../../../src-shared/display/callPairs.ts';

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

interface ScoreHistoryProps {
  history: RunDetail['history'];
  current: string | null;
}

/**
 * Scores that a re-score replaced, so that a changed verdict can be traced to the scorer that
 * changed it.
 */
function ScoreHistory({ history, current }: ScoreHistoryProps) {
  if (history.length === 0) return null;
  return (
    <section aria-label="Earlier scores">
      <Text size="sm" fw={600} mt="md" mb="xs">
        Earlier scores
      </Text>
      <PlainTable
        heads={[
          'Class',
          <Term meaning={metricMeaning.completeness}>Arguments sent</Term>,
          <Term meaning={metricMeaning.correctness}>As expected</Term>,
          'Scored with',
          'Scorer',
          'Replaced',
        ]}
        numeric={[1, 2]}
        rows={history.map((entry, index) => {
          const { classification, parameterCompleteness, parameterCorrectness } = entry.score;
          const { meaning, outcome } = classWords[classification];
          return {
            key: index,
            cells: [
              <Term meaning={meaning}>
                <ClassMark outcome={outcome} letters={classification} />
              </Term>,
              formatPercent(parameterCompleteness),
              formatPercent(parameterCorrectness),
              madeWith(entry),
              <span className="ts-mono">{entry.scorer}</span>,
              <Time iso={entry.replacedAt} />,
            ],
          };
        })}
      />
      {current !== null && (
        <Text size="xs" c="dimmed" mt="xs">
          Current scorer: <span className="ts-mono">{current}</span>
        </Text>
      )}
    </section>
  );
}

/** What differed when the score was made. */
function madeWith(props: RunDetail['history'][number]): string {
  const { expectation, highConfidence, argumentsMode } = props;
  const parts = [
    ...(expectation === null
      ? []
      : [
          `expected ${expectation.expectedCalls.map((call) => expectedName(call)).join(', ') || 'no call'}`,
        ]),
    ...(highConfidence === null ? [] : [`high confidence from ${highConfidence}`]),
    ...(argumentsMode === null ? [] : [`arguments mode ${argumentsMode}`]),
  ];
  return parts.length === 0 ? 'the same settings' : visibleText(parts.join(', '));
}
