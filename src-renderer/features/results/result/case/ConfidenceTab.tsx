import { termTexts } from '../../../../../src-shared/display/termTexts.ts';
import { Text } from '@mantine/core';
import type { MethodCalibration } from '../../../../../src-shared/domain/analysis.ts';
import { useRead } from '../../../../api/index.ts';
import { ChartFrame, ReliabilityChart } from '../../../../ui/charts/ChartFrame.tsx';
import {
  formatCount,
  formatExact,
  formatDecimal,
  formatPercent,
  formatRate,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
import { Loaded } from '../../../../ui/notices/notices.tsx';
import { Section } from '../../../../ui/panels/panels.tsx';
import { StatusBadge, type StatusTone } from '../../../../ui/badges/StatusBadge.tsx';
import { methodWords } from '../../evaluationWords.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';

type Counts = NonNullable<ResultNumbers['confidence']>;

type Category = 'robust' | 'needsClarity' | 'misleading' | 'wrongLow' | 'unmeasured';

const categories: { key: Category; label: string; tone: StatusTone; meaning: string }[] = [
  { key: 'robust', label: 'Robust', tone: 'good', meaning: 'Right tools with high confidence.' },
  {
    key: 'needsClarity',
    label: 'Needs clarity',
    tone: 'warning',
    meaning: 'Right tools with low confidence: a clearer description would help.',
  },
  {
    key: 'misleading',
    label: 'Misleading',
    tone: 'bad',
    meaning: 'Wrong tools with high confidence: a description misleads the model.',
  },
  {
    key: 'wrongLow',
    label: 'Wrong and unsure',
    tone: 'warning',
    meaning: 'Wrong tools with low confidence.',
  },
  {
    key: 'unmeasured',
    label: 'Unmeasured',
    tone: 'idle',
    meaning: 'No confidence could be measured.',
  },
];

interface ConfidenceTabProps {
  evaluationId: string;
  model: string | null;
  numbers: ResultNumbers;
  high: number;
}

export function ConfidenceTab({ evaluationId, model, numbers, high }: ConfidenceTabProps) {
  const ended = numbers.confidence !== null;
  const analysis = useRead((ask) => ask.results.analysis, {
    input: { id: evaluationId, modelSettingsId: model },
    enabled: ended,
  });
  if (numbers.confidence === null)
    return <Text c="dimmed">The categories appear when the evaluation ends.</Text>;
  return (
    <>
      <ConfidenceCounts confidence={numbers.confidence} high={high} />
      <Section title="Reliability">
        <Loaded query={analysis} blocks={[280]} label="Loading the reliability diagram">
          {({ calibrations }) =>
            calibrations.length === 0 ? (
              <Text c="dimmed">No run reported a confidence.</Text>
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
    <ChartFrame
      title={calibrationFinding(one)}
      note={
        `Share of runs with the right tools by confidence (${methodWords[one.method]}), ` +
        `${counted(one.n, 'run')}. On the dashed line, confidence equals accuracy. ${termTexts.ece.meaning}`
      }
      fileName={`reliability-${one.method}`}
      height={300}
      table={{
        heads: ['Confidence', 'Runs', 'Right tools', 'Mean confidence'],
        numeric: [1, 2, 3],
        rows: one.bins.map(({ low, high, n, right, confidence }) => [
          `${formatDecimal(low, 1)}–${formatDecimal(high, 1)}`,
          formatCount(n),
          formatPercent(right),
          formatRate(confidence),
        ]),
      }}
    >
      <ReliabilityChart
        bins={one.bins.map(({ right, ...bin }) => ({ ...bin, correct: right }))}
        format={formatPercent}
      />
    </ChartFrame>
  );
}

function calibrationFinding({ ece }: MethodCalibration): string {
  if (ece === null) return 'Not enough runs to compare confidence with accuracy';
  return `Confidence is off by ${formatRate(ece)} on average (ECE)`;
}

const measuredRuns = (one: Omit<Counts, 'method' | 'unmeasured' | 'others'>): number =>
  one.robust + one.needsClarity + one.misleading + one.wrongLow;

/** Runs by category. `high` is null for several evaluations, each with its own threshold. */
export function ConfidenceCounts(props: { confidence: Counts; high: number | null }) {
  const { confidence, high } = props;
  const { method, others } = confidence;
  const ofOthers = others.reduce((sum, one) => sum + measuredRuns(one), 0);
  const all = measuredRuns(confidence) + confidence.unmeasured + ofOthers;
  const share = (count: number) => [
    formatCount(count),
    formatPercent(all === 0 ? null : count / all),
  ];
  return (
    <PlainTable
      verticalSpacing="sm"
      caption={
        <>
          {high === null
            ? 'Each evaluation sets what counts as high.'
            : `A confidence of ${formatExact(high)} or more counts as high.`}{' '}
          {method !== null && `Measured by ${methodWords[method]}. `}
          Excludes runs that were not scored.
        </>
      }
      heads={['Category', 'Runs', 'Share', 'What it means']}
      numeric={[1, 2]}
      rows={[
        ...categories.map(({ key, label, tone, meaning }) => ({
          key,
          cells: [<StatusBadge tone={tone} label={label} />, ...share(confidence[key]), meaning],
        })),
        // The scales of other methods differ, so they are never added to the categories.
        ...others.map((one) => ({
          key: one.method,
          cells: [
            `By ${methodWords[one.method]}`,
            ...share(measuredRuns(one)),
            `Counted separately: ${formatCount(one.robust)} robust, ${formatCount(one.needsClarity)} needs clarity, ` +
              `${formatCount(one.misleading)} misleading, ${formatCount(one.wrongLow)} wrong and unsure.`,
          ],
        })),
      ]}
    />
  );
}
