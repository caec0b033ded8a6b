import { Table, Text } from '@mantine/core';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import { Definition } from '../../../ui/panels/Definition.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { formatRate } from '../../../ui/estimate/format.ts';
import { OutcomeMark } from '../../../ui/badges/OutcomeMark.tsx';
import { visibleText } from '../../../ui/text/visibleText.ts';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import classes from '../evaluations.module.css';
import { expectedName } from './callPairs.ts';
import { classWords, metricMeaning } from '../evaluationWords.ts';

const priorities: Record<'high' | 'medium' | 'low', { tone: StatusTone; label: string }> = {
  high: { tone: 'bad', label: 'High priority' },
  medium: { tone: 'warning', label: 'Medium priority' },
  low: { tone: 'idle', label: 'Low priority' },
};

/** Why the case was scored this way, and what to change. */
export function Judgement({ detail }: { detail: RunDetail }) {
  const { score, text } = detail;
  return (
    <>
      {score !== null && (
        <Section title="Reasoning">
          <Foreign block text={score.reasoning === '' ? 'None was given.' : score.reasoning} />
        </Section>
      )}
      {text !== null && text !== '' && (
        <Section title="What the model said">
          <Foreign block text={text} />
        </Section>
      )}
      {score !== null && score.recommendations.length > 0 && (
        <Section title="Recommendations">
          <ul className={classes.list}>
            {score.recommendations.map((one, index) => (
              <li key={index}>
                <StatusBadge {...priorities[one.priority]} />{' '}
                {one.toolId !== null && (
                  <>
                    <span className="ts-mono">
                      <Foreign text={one.toolId} limit={200} />
                    </span>
                    :{' '}
                  </>
                )}
                <Foreign text={one.message} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

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
    <Section title="Earlier scores">
      <Table withTableBorder verticalSpacing="xs" style={{ background: 'var(--ts-raised)' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Class</Table.Th>
            <Table.Th ta="right">
              <Definition meaning={metricMeaning.completeness}>Completeness</Definition>
            </Table.Th>
            <Table.Th ta="right">
              <Definition meaning={metricMeaning.correctness}>Correctness</Definition>
            </Table.Th>
            <Table.Th>Made with</Table.Th>
            <Table.Th>Scorer</Table.Th>
            <Table.Th>Replaced</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {history.map((entry, index) => (
            <Table.Tr key={index}>
              <Table.Td>
                <OutcomeMark
                  outcome={classWords[entry.score.classification].outcome}
                  letters={entry.score.classification}
                  label={classWords[entry.score.classification].word}
                />
              </Table.Td>
              <Table.Td ta="right" className="ts-number">
                {formatRate(entry.score.parameterCompleteness)}
              </Table.Td>
              <Table.Td ta="right" className="ts-number">
                {formatRate(entry.score.parameterCorrectness)}
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
          Now scored by <span className="ts-mono">{current}</span>.
        </Text>
      )}
    </Section>
  );
}

/** What differed when the score was made. */
function madeWith({ expectation, highConfidence }: RunDetail['history'][number]): string {
  const parts = [
    ...(expectation === null
      ? []
      : [`expected ${expectation.expectedCalls.map(expectedName).join(', ') || 'no call'}`]),
    ...(highConfidence === null ? [] : [`high from ${highConfidence}`]),
  ];
  return parts.length === 0 ? 'the same' : visibleText(parts.join('; '));
}
