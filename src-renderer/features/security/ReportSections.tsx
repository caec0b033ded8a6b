import { Button, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import {
  minFlaggedSeverity,
  type DetectorReport,
  type EntryFinding,
} from '../../../src-shared/domain/security.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import type { ChartPoint, ChartSeries } from '../../ui/charts/chartData.ts';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../ui/charts/lazyCharts.ts';
import { formatPercent, formatRate } from '../../ui/estimate/format.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';

export function CategoryTable({ detectors }: { detectors: DetectorReport[] }) {
  const names = detectors[0]?.categories.map(({ category }) => category) ?? [];
  return (
    <Section
      title="By category"
      aside={
        <Text size="sm" c="dimmed" component="span">
          share flagged: recall for attacks, FPR for benign entries
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
export function ThresholdCurve({
  report,
  detectors,
}: {
  report: DetectorReport;
  detectors: DetectorReport[];
}) {
  if (report.curve.length === 0) return null;
  return (
    <ChartFrame
      title={curveFinding(report)}
      note={
        `${report.tp + report.fn} malicious and ${report.fp + report.tn} benign entries. Each point ` +
        'flags one severity and above. ' +
        `The table shows the ${detectorLabel(report.detector).toLowerCase()} detector.`
      }
      fileName="precision-recall"
      height={340}
      table={{
        columns: [
          { label: 'Flagged from' },
          { label: 'Precision', numeric: true },
          { label: 'Recall', numeric: true },
          { label: 'False positive rate', numeric: true },
        ],
        rows: report.curve.map(({ threshold, precision, recall, fpr }) => [
          threshold,
          formatRate(precision),
          formatRate(recall),
          formatRate(fpr),
        ]),
      }}
    >
      <LinesChart
        series={curveSeries(detectors)}
        xLabel="recall (share of malicious entries)"
        yLabel="precision (share of flagged entries)"
        xRange={[0, 1]}
        yRange={[0, 1]}
        formatX={formatRate}
        formatY={formatRate}
      />
    </ChartFrame>
  );
}

/** What the curve says: the rates at the threshold that flags by default. */
function curveFinding({ precision, recall, curve }: DetectorReport): string {
  const at = curve.find(({ threshold }) => threshold === minFlaggedSeverity);
  const shown = {
    precision: at ? at.precision : precision.value,
    recall: at ? at.recall : recall.value,
  };
  return shown.precision === null || shown.recall === null
    ? 'Precision and recall by severity threshold'
    : `Flagging ${minFlaggedSeverity} severity and above finds ${formatPercent(shown.recall)} of attacks; ` +
        `${formatPercent(shown.precision)} of flagged entries are attacks`;
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

export function EntryList({
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
              to={`/labs/detectors/corpora/${encodeURIComponent(corpusId)}?entry=${encodeURIComponent(id)}`}
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
