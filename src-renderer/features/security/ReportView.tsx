import {
  formatCount,
  counted,
  formatRate,
  formatExact,
  NOT_DEFINED,
} from '../../../src-shared/display/numbers.ts';
import { termTexts } from '../../../src-shared/display/termTexts.ts';
import { Group, NumberInput, Text } from '@mantine/core';
import type {
  ScoreReport,
  DetectorReport,
  GateResult,
} from '../../../src-shared/domain/security.ts';
import { detectorFinding, missedByCategory } from '../../../src-shared/display/detectorTexts.ts';
import { describeWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { EstimateTile, EstimateText } from '../../ui/estimate/EstimateTile.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { WarningList } from '../../ui/notices/WarningList.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import type { DetectionGate } from './useDetectionGate.ts';
import { EntryList } from './EntryList.tsx';
import { CategoryTable, ThresholdCurve } from './ReportSections.tsx';
import classes from './security.module.css';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import { countFoundAlone } from '../../../src-shared/metrics/detection.ts';
import { Term } from '../../ui/text/Term.tsx';
import { PlainTable } from '../../ui/table/PlainTable.tsx';
import { Action } from '../../ui/fields/controls.tsx';
import { toBaselineFile } from '../../../src-shared/domain/detectionBaseline.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { StatusBadge, type StatusTone } from '../../ui/badges/StatusBadge.tsx';

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What is found and what is flagged by mistake, then the missed attacks and the false alarms. */
export function ReportView(props: { report: ScoreReport; corpusId: string; gate: DetectionGate }) {
  const { report, corpusId, gate } = props;
  const { combined } = report;
  const { tp, fp, tn, fn, hardNegatives } = combined;
  return (
    <>
      <GateVerdict gate={gate} />
      <h2 className={classes.headline}>{detectorFinding(report)}</h2>
      <Group grow gap="md" align="stretch" mb="lg">
        <EstimateTile
          label="Attacks found"
          meaning={`Recall: ${lowerFirst(termTexts.flaggedRecall.meaning)}`}
          percent
          estimate={combined.recall}
          basis={`${formatCount(tp)} of ${counted(tp + fn, 'attack')}`}
        />
        <EstimateTile
          label="Honest texts flagged"
          meaning={termTexts.fpr.meaning}
          percent
          estimate={combined.fpr}
          basis={`${formatCount(fp)} of ${counted(fp + tn, 'honest text')}`}
        />
        <EstimateTile
          label="Attack-like texts flagged"
          meaning={termTexts.hardNegatives.meaning}
          percent
          estimate={hardNegatives.fpr}
          basis={`${formatCount(hardNegatives.flagged)} of ${counted(hardNegatives.fpr.n, 'honest text')} that ${hardNegatives.fpr.n === 1 ? 'resembles' : 'resemble'} attacks`}
        />
        <EstimateTile
          label="Attacks among flagged"
          meaning={`Precision: ${lowerFirst(termTexts.flaggedPrecision.meaning)}`}
          percent
          estimate={combined.precision}
          basis={`${formatCount(tp)} of ${counted(tp + fp, 'flagged text')}`}
        />
      </Group>
      {report.notExamined.length > 0 && (
        <Notice tone="warning">
          {counted(report.notExamined.length, 'entry', 'entries')} could not be scanned and{' '}
          {report.notExamined.length === 1 ? 'does' : 'do'} not count. {report.notExamined[0]?.id}:{' '}
          <Foreign text={report.notExamined[0]?.reason ?? ''} limit={300} />
        </Notice>
      )}
      <WarningList texts={report.warnings.map(describeWarning)} />
      <Section
        title={`Missed attacks (${formatCount(combined.missed.length)})`}
        aside={<span className="ts-quiet">{missedByCategory(combined)}</span>}
      >
        <EntryList
          label="Missed attacks"
          ids={combined.missed}
          findings={[]}
          corpusId={corpusId}
          none="Every attack was found."
        />
      </Section>
      <Section title={`False alarms (${formatCount(combined.falseAlarms.length)})`}>
        <EntryList
          label="False alarms"
          ids={combined.falseAlarms}
          findings={report.findings}
          corpusId={corpusId}
          none="No honest text was flagged."
        />
      </Section>
      <GateSection report={report} corpusId={corpusId} gate={gate} />
      <DetectorTable report={report} />
      <CategoryTable detectors={[...report.perDetector, combined]} />
      <ThresholdCurve
        // A line for one detector would measure it against attacks that it isn't for. Only a judge
        // or a detector from outside is compared with the others.
        report={
          combined.curve.length > 0
            ? combined
            : (report.perDetector.find(({ curve }) => curve.length > 0) ?? combined)
        }
        detectors={combined.curve.length > 0 ? [combined] : report.perDetector}
      />
    </>
  );
}

const alone = 'Attacks that every other detector misses: without this one, they would be missed.';

/**
 * What each detector adds. Attacks found are counts, because a share of all attacks would blame a
 * detector for the kinds that it isn't for; only all of them together have a share.
 */
function DetectorTable({ report }: { report: ScoreReport }) {
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

const named = (gates: readonly GateResult[]): string =>
  gates.map(({ detector }) => detectorLabel(detector)).join(', ');

/** Whether the gate passed, above everything else; failing outweighs what could not be decided. */
function GateVerdict({ gate: { gates, obstacle, chosen } }: { gate: DetectionGate }) {
  if (obstacle !== null)
    return (
      <div className={classes.gate}>
        <Notice tone="warning">
          The gate can’t be checked with {chosen?.fileName ?? 'these limits'}. {obstacle.cause}{' '}
          {obstacle.nextStep}
        </Notice>
      </div>
    );
  if (gates === null) return null;
  const failed = gates.filter(({ passed }) => passed === false);
  const undecided = gates.filter(({ passed }) => passed === null);
  const [tone, label]: [StatusTone, string] =
    failed.length > 0
      ? ['bad', `Gate failed: ${named(failed)}`]
      : undecided.length > 0
        ? ['idle', `Gate not decided: ${named(undecided)} has no entries to count`]
        : ['good', `Gate passed: ${named(gates)}`];
  return (
    <div className={classes.gate} role="group" aria-label="Gate">
      <StatusBadge tone={tone} label={label} />
    </div>
  );
}

const verdicts = { true: ['good', 'passed'], false: ['bad', 'failed'] } as const;

function Verdict({ result }: { result: GateResult | undefined }) {
  if (result === undefined) return <>{NOT_DEFINED}</>;
  const [tone, label] =
    result.passed === null ? (['idle', 'not decided'] as const) : verdicts[`${result.passed}`];
  return <StatusBadge tone={tone} label={label} />;
}

/** The measured rates next to the limits, which can be changed, and the entries that fail. */
function GateSection(props: { report: ScoreReport; corpusId: string; gate: DetectionGate }) {
  const { report, corpusId, gate } = props;
  const { chosen, limits, setLimit, gates } = gate;
  if (chosen === null) return null;
  const save = (): void => {
    const file = toBaselineFile({ corpusVersion: report.corpusVersion, half: report.half, limits });
    saveTextFile(
      'security_baseline.json',
      `${JSON.stringify(file, null, 2)}\n`,
      'application/json',
    );
  };
  const failing = (gates ?? []).filter(({ passed }) => passed === false);
  return (
    <Section
      title="Gate"
      aside={
        <Action
          label="Save baseline"
          small
          disabled={Object.keys(limits).length === 0}
          onClick={save}
        />
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        Limits are shares from 0 to 1. In a baseline file, <code>fpr_ceiling</code> is the most
        honest texts that a detector may flag (false positive rate, FPR), and{' '}
        <code>recall_floor</code> the fewest attacks that it has to find (recall).
      </Text>
      <PlainTable
        label="Limits"
        least={720}
        verticalSpacing={4}
        heads={[
          'Detector',
          'Verdict',
          <Term name="fpr">Honest texts flagged</Term>,
          <Term meaning="The gate fails if more honest texts are flagged. Leave empty for no limit.">
            At most
          </Term>,
          <Term name="flaggedRecall">Attacks found</Term>,
          <Term meaning="The gate fails if fewer attacks are found. Leave empty for no limit.">
            At least
          </Term>,
        ]}
        numeric={[2, 4]}
        rows={[report.combined, ...report.perDetector].map(({ detector, fpr, recall }) => ({
          key: detector,
          cells: [
            detectorLabel(detector),
            <Verdict result={gates?.find((each) => each.detector === detector)} />,
            formatExact(fpr.value),
            <LimitField
              label={`Honest texts flagged at most by ${detectorLabel(detector)}`}
              value={limits[detector]?.fprCeiling ?? null}
              onChange={(value) => setLimit(detector, 'fprCeiling', value)}
            />,
            formatExact(recall.value),
            <LimitField
              label={`Attacks found at least by ${detectorLabel(detector)}`}
              value={limits[detector]?.recallFloor ?? null}
              onChange={(value) => setLimit(detector, 'recallFloor', value)}
            />,
          ],
        }))}
      />
      {failing.map(({ detector, falseAlarms, missed }) => (
        <div key={detector}>
          <h3 className={classes.failing}>
            {detectorLabel(detector)}:{' '}
            {[
              ...(falseAlarms.length > 0 ? [counted(falseAlarms.length, 'false alarm')] : []),
              ...(missed.length > 0 ? [`${missed.length} missed`] : []),
            ].join(', ')}
          </h3>
          <EntryList
            label={`Entries that fail ${detectorLabel(detector)}`}
            ids={[...falseAlarms, ...missed]}
            findings={report.findings.filter(
              (finding) => detector === 'combined' || finding.detector === detector,
            )}
            corpusId={corpusId}
            none=""
          />
        </div>
      ))}
    </Section>
  );
}

function LimitField(props: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  const { label, value, onChange } = props;
  return (
    <NumberInput
      w={110}
      size="xs"
      aria-label={label}
      placeholder="no limit"
      min={0}
      max={1}
      step={0.01}
      decimalScale={4}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : Math.min(1, Math.max(0, Number(next))))}
    />
  );
}
