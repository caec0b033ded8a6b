import { formatCount } from '../../../src-shared/display/numbers.ts';
import { termTexts } from '../../../src-shared/display/termTexts.ts';
import { Group, Table, Text } from '@mantine/core';
import type { ScoreReport } from '../../../src-shared/domain/security.ts';
import { describeWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import { Term } from '../../ui/text/Term.tsx';
import { EstimateText, EstimateTile } from '../../ui/estimate/EstimateTile.tsx';
import { formatRate } from '../../ui/estimate/format.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { WarningList } from '../../ui/notices/WarningList.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { counted } from '../../ui/text/words.ts';
import type { DetectionGate } from './useDetectionGate.ts';
import { detectorFinding } from './detectorFinding.ts';
import { GateSection, GateVerdict } from './GateSection.tsx';
import { CategoryTable, ThresholdCurve, EntryList } from './ReportSections.tsx';
import classes from './security.module.css';

/** The four classes where an entry is flagged or isn't, instead of called. */
const flagMeanings = {
  tp: 'True positives: malicious entries that were flagged.',
  fp: 'False positives: benign entries that were flagged.',
  tn: 'True negatives: benign entries that were not flagged.',
  fn: 'False negatives: malicious entries that were not flagged.',
} as const;

/** False alarms come first: people switch off a detector that raises too many. */
export function ReportView({
  report,
  corpusId,
  gate,
}: {
  report: ScoreReport;
  corpusId: string;
  gate: DetectionGate;
}) {
  const { combined } = report;
  return (
    <>
      <GateVerdict gate={gate} />
      <h2 className={classes.headline}>{detectorFinding(combined)}</h2>
      <Group grow gap="md" align="stretch" mb="lg">
        <EstimateTile
          label="Recall"
          meaning={termTexts.flaggedRecall.meaning}
          estimate={combined.recall}
          basis={`${combined.recall.n} malicious entries`}
        />
        <EstimateTile
          label="FPR, hard negatives"
          meaning={termTexts.hardNegatives.meaning}
          estimate={combined.hardNegatives.fpr}
          basis={`${combined.hardNegatives.fpr.n} hard negatives`}
        />
        <EstimateTile
          label="FPR"
          meaning={termTexts.fpr.meaning}
          estimate={combined.fpr}
          basis={`${combined.fpr.n} benign entries`}
        />
        <EstimateTile
          label="Precision"
          meaning={termTexts.flaggedPrecision.meaning}
          estimate={combined.precision}
          basis={`${combined.precision.n} flagged entries`}
        />
      </Group>
      {report.notExamined.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            {counted(report.notExamined.length, 'entry', 'entries')} could not be scanned and{' '}
            {report.notExamined.length === 1 ? 'does' : 'do'} not count. {report.notExamined[0]?.id}
            : <Foreign text={report.notExamined[0]?.reason ?? ''} limit={300} />
          </Notice>
        </div>
      )}
      <WarningList texts={report.warnings.map(describeWarning)} />
      <GateSection report={report} corpusId={corpusId} gate={gate} />
      <Section title={`False alarms (${formatCount(combined.falseAlarms.length)})`}>
        <EntryList
          ids={combined.falseAlarms}
          findings={report.findings}
          corpusId={corpusId}
          none="No benign entry was flagged."
        />
      </Section>
      <Section
        title="Detectors"
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
                <Table.Th ta="right">
                  <Term meaning={flagMeanings.tp}>TP</Term>
                </Table.Th>
                <Table.Th ta="right">
                  <Term meaning={flagMeanings.fp}>FP</Term>
                </Table.Th>
                <Table.Th ta="right">
                  <Term meaning={flagMeanings.tn}>TN</Term>
                </Table.Th>
                <Table.Th ta="right">
                  <Term meaning={flagMeanings.fn}>FN</Term>
                </Table.Th>
                <Table.Th>
                  <Term name="flaggedPrecision">Precision</Term>
                </Table.Th>
                <Table.Th>
                  <Term name="flaggedRecall">Recall</Term>
                </Table.Th>
                <Table.Th>
                  <Term name="fpr" />
                </Table.Th>
                <Table.Th>
                  <Term name="hardNegatives" />
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
                      {formatCount(count)}
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
      <CategoryTable detectors={[...report.perDetector, combined]} />
      <ThresholdCurve
        report={
          combined.curve.length > 0
            ? combined
            : (report.perDetector.find(({ curve }) => curve.length > 0) ?? combined)
        }
        detectors={[...report.perDetector, combined]}
      />
      <Section title={`Missed (${formatCount(combined.missed.length)})`}>
        <EntryList
          ids={combined.missed}
          findings={[]}
          corpusId={corpusId}
          none="Every malicious entry was flagged."
        />
      </Section>
    </>
  );
}
