import { Text } from '@mantine/core';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { ClassMark } from '../../../../ui/badges/ClassMark.tsx';
import { formatPercent } from '../../../../../src-shared/display/numbers.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import { Time } from '../../../../ui/text/Time.tsx';
import { visibleText } from '../../../../ui/text/visibleText.ts';
import { classWords, metricMeaning } from '../../evaluationWords.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';
import { expectedName } from '../../../../../src-shared/display/callPairs.ts';

interface ScoreHistoryProps {
  history: RunDetail['history'];
  current: string | null;
}

/**
 * Scores that a re-score replaced, so that a changed verdict can be traced to the scorer that
 * changed it.
 */
export function ScoreHistory({ history, current }: ScoreHistoryProps) {
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
