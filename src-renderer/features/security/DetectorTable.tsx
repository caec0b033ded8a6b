import { formatCount, formatRate, counted } from '../../../src-shared/display/numbers.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import type { DetectorReport, ScoreReport } from '../../../src-shared/domain/security.ts';
import { countFoundAlone } from '../../../src-shared/metrics/detection.ts';
import { EstimateText } from '../../ui/estimate/EstimateTile.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { Term } from '../../ui/text/Term.tsx';
import { PlainTable } from '../../ui/table/PlainTable.tsx';

const alone = 'Attacks that every other detector misses: without this one, they would be missed.';

/**
 * What each detector adds. Attacks found are counts, because a share of all attacks would blame a
 * detector for the kinds that it isn't for; only all of them together have a share.
 */
export function DetectorTable({ report }: { report: ScoreReport }) {
  const { perDetector, combined } = report;
  const foundAlone = countFoundAlone(perDetector);
  return (
    <Section
      title="What each detector adds"
      aside={
        <span className="ts-quiet">
          {counted(report.entries, 'entry', 'entries')} · version {report.corpusVersion} · 95%
          Wilson intervals
          {report.runsAveraged > 1 ? ` · ${report.runsAveraged} runs of the model` : ''}
        </span>
      }
    >
      <PlainTable
        label="What each detector adds"
        least={900}
        heads={[
          'Detector',
          <Term meaning="Each detector looks for its own kind of attack. An attack that several find counts for each of them.">
            Attacks found
          </Term>,
          <Term meaning={alone}>Found only by it</Term>,
          <Term name="fpr">Honest texts flagged</Term>,
          <Term name="hardNegatives">Of these, resemble attacks</Term>,
          <Term name="flaggedPrecision">Attacks among flagged</Term>,
        ]}
        numeric={[1, 2, 3, 4]}
        rows={[
          ...perDetector.map((each, at) => rowOf(each, foundAlone[at] ?? null)),
          rowOf(combined, null),
        ]}
      />
    </Section>
  );
}

function rowOf(report: DetectorReport, foundAlone: number | null) {
  const { detector, tp, fp, fn, tn, hardNegatives, precision, spread } = report;
  const all = detector === 'combined';
  const count = (found: number, of: number): string =>
    all ? `${formatCount(found)} of ${formatCount(of)}` : formatCount(found);
  return {
    key: detector,
    bold: all,
    cells: [
      <>
        {detectorLabel(detector)}
        {spread !== null && (
          <p className="ts-hint">
            ± {formatRate(spread.recall)} of attacks, ± {formatRate(spread.fpr)} of honest texts
            over runs
          </p>
        )}
      </>,
      count(tp, tp + fn),
      foundAlone === null ? '' : formatCount(foundAlone),
      count(fp, fp + tn),
      count(hardNegatives.flagged, hardNegatives.fpr.n),
      <EstimateText estimate={precision} />,
    ],
  };
}
