import { Button, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type {
  DetectorReport,
  EntryFinding,
  ScoreReport,
} from '../../../src-shared/domain/security.ts';
import { detectorLabel } from '../../api/index.ts';
import { type ChartPoint, type ChartSeries, LineChart } from '../../ui/charts/LineChart.tsx';
import { Definition } from '../../ui/panels/Definition.tsx';
import { EstimateText, EstimateTile } from '../../ui/estimate/EstimateTile.tsx';
import { formatRate } from '../../ui/estimate/format.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { counted } from '../../ui/text/words.ts';

const meanings = {
  precision: 'Of the entries that were flagged, the share that is malicious.',
  recall: 'Of the malicious entries, the share that was flagged.',
  fpr: 'Of the benign entries, the share that was flagged: false alarms.',
  hard: 'False alarms among honest tools that look like attacks: they read files, run commands, or say “important”.',
};

/** False alarms come first: people switch off a detector that raises too many. */
export function ReportView({ report, corpusId }: { report: ScoreReport; corpusId: string }) {
  const { combined } = report;
  return (
    <>
      <Group grow gap="md" align="stretch" mb="lg">
        <EstimateTile
          label="Recall"
          meaning={meanings.recall}
          estimate={combined.recall}
          basis={`n ${combined.recall.n} malicious entries`}
        />
        <EstimateTile
          label="FPR, hard negatives"
          meaning={meanings.hard}
          estimate={combined.hardNegatives.fpr}
          basis={`n ${combined.hardNegatives.fpr.n} hard negatives`}
        />
        <EstimateTile
          label="FPR"
          meaning={meanings.fpr}
          estimate={combined.fpr}
          basis={`n ${combined.fpr.n} benign entries`}
        />
        <EstimateTile
          label="Precision"
          meaning={meanings.precision}
          estimate={combined.precision}
          basis={`n ${combined.precision.n} flagged entries`}
        />
      </Group>
      {report.notExamined.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            {counted(report.notExamined.length, 'entry', 'entries')} could not be examined and{' '}
            {report.notExamined.length === 1 ? 'is' : 'are'} in no number.{' '}
            {report.notExamined[0]?.id}:{' '}
            <Foreign text={report.notExamined[0]?.reason ?? ''} limit={300} />
          </Notice>
        </div>
      )}
      <Section title={`False alarms (${report.falseAlarms.length})`}>
        <EntryList
          ids={report.falseAlarms}
          findings={report.findings}
          corpusId={corpusId}
          none="No benign entry was flagged."
        />
      </Section>
      <Section
        title="Detectors"
        aside={
          <Text size="sm" c="dimmed" component="span">
            {counted(report.entries, 'entry', 'entries')} · version {report.corpusVersion} · 95 %
            Wilson intervals
            {report.runsAveraged > 1 ? ` · ${report.runsAveraged} runs of the model` : ''}
          </Text>
        }
      >
        <div
          style={{ overflowX: 'auto' }}
          tabIndex={0}
          role="region"
          aria-label="Rates of each detector"
        >
          <Table
            withTableBorder
            verticalSpacing="xs"
            horizontalSpacing="md"
            style={{ background: 'var(--ts-raised)', minWidth: 900 }}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Detector</Table.Th>
                <Table.Th ta="right">TP</Table.Th>
                <Table.Th ta="right">FP</Table.Th>
                <Table.Th ta="right">TN</Table.Th>
                <Table.Th ta="right">FN</Table.Th>
                <Table.Th>
                  <Definition meaning={meanings.precision}>Precision</Definition>
                </Table.Th>
                <Table.Th>
                  <Definition meaning={meanings.recall}>Recall</Definition>
                </Table.Th>
                <Table.Th>
                  <Definition meaning={meanings.fpr}>FPR</Definition>
                </Table.Th>
                <Table.Th>
                  <Definition meaning={meanings.hard}>FPR, hard negatives</Definition>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...report.perDetector, combined].map((each) => (
                <Table.Tr key={each.detector} fw={each.detector === 'combined' ? 600 : undefined}>
                  <Table.Td>
                    {detectorLabel(each.detector)}
                    {each.spread !== null && (
                      <Text size="xs" c="dimmed">
                        ± {formatRate(each.spread.recall)} recall, ± {formatRate(each.spread.fpr)}{' '}
                        FPR over runs
                      </Text>
                    )}
                  </Table.Td>
                  {[each.tp, each.fp, each.tn, each.fn].map((count, index) => (
                    <Table.Td key={index} ta="right" className="ts-number">
                      {count}
                    </Table.Td>
                  ))}
                  {[each.precision, each.recall, each.fpr, each.hardNegatives.fpr].map(
                    (rate, index) => (
                      <Table.Td key={index} className="ts-number">
                        <EstimateText estimate={rate} />
                      </Table.Td>
                    ),
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Section>
      <Categories detectors={[...report.perDetector, combined]} />
      <Curve
        report={
          combined.curve.length > 0
            ? combined
            : (report.perDetector.find(({ curve }) => curve.length > 0) ?? combined)
        }
        detectors={[...report.perDetector, combined]}
      />
      <Section title={`Missed (${report.missed.length})`}>
        <EntryList
          ids={report.missed}
          findings={[]}
          corpusId={corpusId}
          none="Every malicious entry was flagged."
        />
      </Section>
    </>
  );
}

function Categories({ detectors }: { detectors: DetectorReport[] }) {
  const names = detectors[0]?.categories.map(({ category }) => category) ?? [];
  return (
    <Section
      title="By category"
      aside={
        <Text size="sm" c="dimmed" component="span">
          share flagged: recall of attacks, false alarms of benign entries
        </Text>
      }
    >
      <div
        style={{ overflowX: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="Share flagged by category"
      >
        <Table
          withTableBorder
          verticalSpacing="xs"
          horizontalSpacing="md"
          style={{ background: 'var(--ts-raised)', minWidth: 900 }}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Detector</Table.Th>
              {names.map((name) => (
                <Table.Th key={name} ta="right">
                  {detectorLabel(name)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {detectors.map(({ detector, categories }) => (
              <Table.Tr key={detector} fw={detector === 'combined' ? 600 : undefined}>
                <Table.Td>{detectorLabel(detector)}</Table.Td>
                {categories.map(({ category, flagged, rate }) => (
                  <Table.Td key={category} ta="right" className="ts-number">
                    {formatRate(rate.value)}{' '}
                    <Text span size="xs" c="dimmed">
                      {flagged}/{rate.n}
                    </Text>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

/** What would be flagged at each threshold, from critical only to everything. */
function Curve({ report, detectors }: { report: DetectorReport; detectors: DetectorReport[] }) {
  if (report.curve.length === 0) return null;
  return (
    <Section
      title="Precision and recall by threshold"
      aside={
        <Text size="sm" c="dimmed" component="span">
          each point: what would be flagged from there on; the table below holds the numbers of{' '}
          {detectorLabel(report.detector).toLowerCase()}
        </Text>
      }
    >
      <LineChart
        label="Precision over recall by threshold, a line for each detector."
        series={curveSeries(detectors)}
        xLabel="recall"
        yLabel="precision"
        xRange={[0, 1]}
        yRange={[0, 1]}
        formatX={(value) => value.toFixed(1)}
        formatY={(value) => value.toFixed(1)}
      />
      <Table
        withTableBorder
        verticalSpacing="xs"
        horizontalSpacing="md"
        style={{ background: 'var(--ts-raised)', maxWidth: 640 }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Flagged from</Table.Th>
            <Table.Th ta="right">Precision</Table.Th>
            <Table.Th ta="right">Recall</Table.Th>
            <Table.Th ta="right">FPR</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.curve.map((point) => (
            <Table.Tr key={point.threshold}>
              <Table.Td>{point.threshold}</Table.Td>
              {[point.precision, point.recall, point.fpr].map((rate, index) => (
                <Table.Td key={index} ta="right" className="ts-number">
                  {formatRate(rate)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/**
 * Detectors that flag something at every threshold. Thresholds that flag the same share one point
 * with both names.
 */
function curveSeries(detectors: readonly DetectorReport[]): ChartSeries[] {
  return detectors.flatMap(({ detector, curve }) => {
    const points = new Map<string, ChartPoint>();
    for (const { threshold, precision, recall } of curve) {
      if (precision === null || recall === null) continue;
      const key = `${recall} ${precision}`;
      const known = points.get(key);
      // Only the combined line is labeled, because labels of all lines would overlap.
      points.set(key, {
        x: recall,
        y: precision,
        label: detector !== 'combined' ? '' : known ? `${known.label}, ${threshold}` : threshold,
      });
    }
    return points.size === 0
      ? []
      : [{ name: detectorLabel(detector), points: [...points.values()].sort((a, b) => a.x - b.x) }];
  });
}

const shownAtOnce = 50;

function EntryList({
  ids,
  findings,
  corpusId,
  none,
}: {
  ids: readonly string[];
  findings: readonly EntryFinding[];
  corpusId: string;
  none: string;
}) {
  if (ids.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    <ul style={{ margin: 0, paddingLeft: 0, listStyle: 'none' }}>
      {ids.slice(0, shownAtOnce).map((id) => {
        const [first] = findings.filter(
          (finding) => finding.id === id && finding.severity !== 'low',
        );
        return (
          <li
            key={id}
            style={{ display: 'flex', gap: 12, alignItems: 'baseline', padding: '4px 0' }}
          >
            <Button
              component={Link}
              to={`/security/corpora/${encodeURIComponent(corpusId)}?entry=${encodeURIComponent(id)}`}
              variant="default"
              size="compact-sm"
              className="ts-mono"
              style={{ flex: 'none' }}
            >
              {id}
            </Button>
            {first !== undefined && (
              <span>
                <SeverityBadge severity={first.severity} /> {detectorLabel(first.detector)}:{' '}
                <span className="ts-mono">
                  <Foreign text={first.text} limit={120} />
                </span>
              </span>
            )}
          </li>
        );
      })}
      {ids.length > shownAtOnce && <li>and {ids.length - shownAtOnce} more</li>}
    </ul>
  );
}
