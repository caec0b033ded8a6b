import { minFlaggedSeverity, type DetectorReport } from '../../../src-shared/domain/security.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import type { ChartPoint, ChartSeries } from '../../ui/charts/chartData.ts';
import { ChartFrame, LinesChart } from '../../ui/charts/ChartFrame.tsx';
import {
  counted,
  formatCount,
  formatPercent,
  formatRate,
} from '../../../src-shared/display/numbers.ts';
import { entryCategoryText } from '../../../src-shared/display/detectorTexts.ts';
import { Section } from '../../ui/panels/panels.tsx';
import { PlainTable } from '../../ui/table/PlainTable.tsx';

export function CategoryTable({ detectors }: { detectors: DetectorReport[] }) {
  const names = detectors[0]?.categories.map(({ category }) => category) ?? [];
  return (
    <Section
      title="By category"
      aside={
        <span className="ts-quiet">
          entries flagged; found attacks are good, flagged honest texts are false alarms
        </span>
      }
    >
      <PlainTable
        label="Entries flagged by category"
        least={900}
        heads={['Detector', ...names.map(entryCategoryText)]}
        numeric={names.map((_, at) => at + 1)}
        rows={detectors.map(({ detector, categories }) => ({
          key: detector,
          bold: detector === 'combined',
          cells: [
            detectorLabel(detector),
            ...categories.map(({ flagged, rate }) =>
              detector === 'combined'
                ? `${formatCount(flagged)} of ${formatCount(rate.n)}`
                : formatCount(flagged),
            ),
          ],
        }))}
      />
    </Section>
  );
}

/** What would be flagged at each threshold, from critical only to everything. */
export function ThresholdCurve(props: { report: DetectorReport; detectors: DetectorReport[] }) {
  const { report, detectors } = props;
  if (report.curve.length === 0) return null;
  return (
    <Section title="By severity">
      <ChartFrame
        title={curveFinding(report)}
        note={
          `${counted(report.tp + report.fn, 'attack')} and ` +
          `${counted(report.fp + report.tn, 'honest text')}. Each point flags one severity and above. ` +
          `The table shows the ${detectorLabel(report.detector).toLowerCase()} detector.`
        }
        fileName="precision-recall"
        height={340}
        table={{
          heads: [
            'Flagged from',
            'Attacks among flagged (precision)',
            'Attacks found (recall)',
            'Honest texts flagged (false positive rate)',
          ],
          numeric: [1, 2, 3],
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
          xLabel="attacks found (recall)"
          yLabel="attacks among flagged (precision)"
          xRange={[0, 1]}
          yRange={[0, 1]}
          formatX={formatRate}
          formatY={formatRate}
        />
      </ChartFrame>
    </Section>
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
        `${formatPercent(shown.precision)} of flagged texts are attacks`;
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
