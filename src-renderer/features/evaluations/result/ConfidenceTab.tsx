import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MethodCalibration } from '../../../../src-shared/domain/analysis.ts';
import { useApi } from '../../../api/index.ts';
import { ReliabilityChart } from '../../../ui/charts/ReliabilityChart.tsx';
import { Definition } from '../../../ui/panels/Definition.tsx';
import { formatCount, formatPercent, formatRate } from '../../../ui/estimate/format.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { counted } from '../../../ui/text/words.ts';
import { methodWords } from '../evaluationWords.ts';
import type { ResultNumbers } from '../live/liveNumbers.ts';

type Counts = NonNullable<ResultNumbers['confidence']>;

const categories: { key: keyof Counts; label: string; tone: StatusTone; meaning: string }[] = [
  { key: 'robust', label: 'Robust', tone: 'good', meaning: 'Right, and sure of it.' },
  {
    key: 'needsClarity',
    label: 'Needs clarity',
    tone: 'warning',
    meaning: 'Right, but unsure: a clearer description would help.',
  },
  {
    key: 'misleading',
    label: 'Misleading',
    tone: 'bad',
    meaning: 'Wrong, and sure of it: a description leads the model astray.',
  },
  {
    key: 'wrongLow',
    label: 'Wrong and unsure',
    tone: 'warning',
    meaning: 'Wrong, and unsure: in no category of its own.',
  },
  {
    key: 'unmeasured',
    label: 'Unmeasured',
    tone: 'idle',
    meaning: 'No confidence could be measured.',
  },
];

const eceMeaning =
  'Expected calibration error: how far, on average over all runs, the share that is right ' +
  'lies from the confidence that was told. 0 = the number means just what it says.';

interface ConfidenceTabProps {
  evaluationId: string;
  model: string | null;
  numbers: ResultNumbers;
  high: number;
}

export function ConfidenceTab({ evaluationId, model, numbers, high }: ConfidenceTabProps) {
  const { queries } = useApi();
  const ended = numbers.confidence !== null;
  const analysis = useQuery(
    queries.results.analysis.queryOptions({
      input: { id: evaluationId, modelSettingsId: model },
      enabled: ended,
    }),
  );
  if (numbers.confidence === null)
    return <Text c="dimmed">The categories are counted when the evaluation has ended.</Text>;
  return (
    <>
      <ConfidenceCounts confidence={numbers.confidence} high={high} />
      <Section title="Does the number mean anything?">
        <Loaded query={analysis} blocks={[280]} label="Loading the reliability diagram">
          {({ calibrations }) =>
            calibrations.length === 0 ? (
              <Text c="dimmed">No run told a confidence.</Text>
            ) : (
              <>
                {calibrations.map((one) => (
                  <Reliability key={one.method} one={one} />
                ))}
              </>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

function Reliability({ one }: { one: MethodCalibration }) {
  return (
    <figure style={{ margin: 0 }}>
      <figcaption>
        By {methodWords[one.method]}: <Definition meaning={eceMeaning}>ECE</Definition>{' '}
        <b className="ts-number">{formatRate(one.ece)}</b>, n {counted(one.n, 'run')}
      </figcaption>
      <ReliabilityChart
        label={
          `Share of right runs by confidence, told by ${methodWords[one.method]}; ECE ` +
          `${formatRate(one.ece)} over ${counted(one.n, 'run')}`
        }
        bars={one.bins}
      />
      <Text size="xs" c="dimmed">
        A bar is the share of right runs whose confidence lies in it; the number is how many. On the
        dashed line the confidence would mean just what it says.
      </Text>
    </figure>
  );
}

/** Runs by category. `high` is null for several evaluations, each with its own threshold. */
export function ConfidenceCounts({
  confidence,
  high,
}: {
  confidence: Counts;
  high: number | null;
}) {
  const all = categories.reduce((sum, { key }) => sum + confidence[key], 0);
  return (
    <Table
      withTableBorder
      verticalSpacing="sm"
      horizontalSpacing="md"
      style={{ background: 'var(--ts-raised)' }}
    >
      <Table.Caption>
        {high === null
          ? 'What counts as high is a setting of each evaluation.'
          : `A confidence of ${high} or more counts as high.`}{' '}
        Runs that were not scored are left out.
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Category</Table.Th>
          <Table.Th ta="right">Runs</Table.Th>
          <Table.Th ta="right">Share</Table.Th>
          <Table.Th>What it means</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {categories.map(({ key, label, tone, meaning }) => (
          <Table.Tr key={key}>
            <Table.Td>
              <StatusBadge tone={tone} label={label} />
            </Table.Td>
            <Table.Td ta="right" className="ts-number">
              {formatCount(confidence[key])}
            </Table.Td>
            <Table.Td ta="right" className="ts-number">
              {formatPercent(all === 0 ? null : confidence[key] / all)}
            </Table.Td>
            <Table.Td>{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
