import { Table, Text } from '@mantine/core';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import type { DetectorReport, ScoreReport } from '../../../src-shared/domain/security.ts';
import { countFoundAlone } from '../../../src-shared/metrics/detection.ts';
import { EstimateText } from '../../ui/estimate/EstimateTile.tsx';
import { formatRate } from '../../ui/estimate/format.ts';
import { Section } from '../../ui/panels/Section.tsx';
import { Term } from '../../ui/text/Term.tsx';
import { counted } from '../../ui/text/words.ts';

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
        <Text size="sm" c="dimmed" component="span">
          {counted(report.entries, 'entry', 'entries')} · version {report.corpusVersion} · 95%
          Wilson intervals
          {report.runsAveraged > 1 ? ` · ${report.runsAveraged} runs of the model` : ''}
        </Text>
      }
    >
      <div
        style={{ overflowX: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="What each detector adds"
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
              <Table.Th ta="right">
                <Term meaning="Each detector looks for its own kind of attack. An attack that several find counts for each of them.">
                  Attacks found
                </Term>
              </Table.Th>
              <Table.Th ta="right">
                <Term meaning={alone}>Found only by it</Term>
              </Table.Th>
              <Table.Th ta="right">
                <Term name="fpr">Honest texts flagged</Term>
              </Table.Th>
              <Table.Th ta="right">
                <Term name="hardNegatives">Of these, resemble attacks</Term>
              </Table.Th>
              <Table.Th>
                <Term name="flaggedPrecision">Attacks among flagged</Term>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {perDetector.map((each, at) => (
              <Row key={each.detector} report={each} foundAlone={foundAlone[at] ?? null} />
            ))}
            <Row report={combined} foundAlone={null} />
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

function Row({ report, foundAlone }: { report: DetectorReport; foundAlone: number | null }) {
  const { detector, tp, fp, fn, tn, hardNegatives, precision, spread } = report;
  const all = detector === 'combined';
  return (
    <Table.Tr fw={all ? 600 : undefined}>
      <Table.Td>
        {detectorLabel(detector)}
        {spread !== null && (
          <Text size="xs" c="dimmed">
            ± {formatRate(spread.recall)} of attacks, ± {formatRate(spread.fpr)} of honest texts
            over runs
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {all ? `${formatCount(tp)} of ${formatCount(tp + fn)}` : formatCount(tp)}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {foundAlone === null ? '' : formatCount(foundAlone)}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {all ? `${formatCount(fp)} of ${formatCount(fp + tn)}` : formatCount(fp)}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {all
          ? `${formatCount(hardNegatives.flagged)} of ${formatCount(hardNegatives.fpr.n)}`
          : formatCount(hardNegatives.flagged)}
      </Table.Td>
      <Table.Td className="ts-number">
        <EstimateText estimate={precision} />
      </Table.Td>
    </Table.Tr>
  );
}
