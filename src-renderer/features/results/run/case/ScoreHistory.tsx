import { Table, Text } from '@mantine/core';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { ClassMark } from '../../../../ui/badges/ClassMark.tsx';
import { formatPercent } from '../../../../ui/estimate/format.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import { Time } from '../../../../ui/text/Time.tsx';
import { visibleText } from '../../../../ui/text/visibleText.ts';
import { classWords, metricMeaning } from '../../evaluationWords.ts';
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
      <Table withTableBorder verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Class</Table.Th>
            <Table.Th ta="right">
              <Term meaning={metricMeaning.completeness}>Arguments sent</Term>
            </Table.Th>
            <Table.Th ta="right">
              <Term meaning={metricMeaning.correctness}>As expected</Term>
            </Table.Th>
            <Table.Th>Scored with</Table.Th>
            <Table.Th>Scorer</Table.Th>
            <Table.Th>Replaced</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {history.map((entry, index) => (
            <Table.Tr key={index}>
              <Table.Td>
                <Term meaning={classWords[entry.score.classification].meaning}>
                  <ClassMark
                    outcome={classWords[entry.score.classification].outcome}
                    letters={entry.score.classification}
                  />
                </Term>
              </Table.Td>
              <Table.Td ta="right" className="ts-number">
                {formatPercent(entry.score.parameterCompleteness)}
              </Table.Td>
              <Table.Td ta="right" className="ts-number">
                {formatPercent(entry.score.parameterCorrectness)}
              </Table.Td>
              <Table.Td>{madeWith(entry)}</Table.Td>
              <Table.Td className="ts-mono">{entry.scorer}</Table.Td>
              <Table.Td>
                <Time iso={entry.replacedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {current !== null && (
        <Text size="xs" c="dimmed" mt="xs">
          Current scorer: <span className="ts-mono">{current}</span>
        </Text>
      )}
    </section>
  );
}

/** What differed when the score was made. */
function madeWith({
  expectation,
  highConfidence,
  argumentsMode,
}: RunDetail['history'][number]): string {
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
