import { NumberInput, Text } from '@mantine/core';
import { Action } from '../../ui/fields/controls.tsx';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import { toBaselineFile } from '../../../src-shared/domain/detectionBaseline.ts';
import type { GateResult, ScoreReport } from '../../../src-shared/domain/security.ts';
import { formatExact, NOT_DEFINED, counted } from '../../../src-shared/display/numbers.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { Notice } from '../../ui/notices/notices.tsx';
import { StatusBadge, type StatusTone } from '../../ui/badges/StatusBadge.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { Term } from '../../ui/text/Term.tsx';
import { EntryList } from './EntryList.tsx';
import type { DetectionGate } from './useDetectionGate.ts';
import classes from './security.module.css';
import { PlainTable } from '../../ui/table/PlainTable.tsx';

const named = (gates: readonly GateResult[]): string =>
  gates.map(({ detector }) => detectorLabel(detector)).join(', ');

/** Whether the gate passed, above everything else; failing outweighs what could not be decided. */
export function GateVerdict({ gate: { gates, obstacle, chosen } }: { gate: DetectionGate }) {
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
export function GateSection(props: { report: ScoreReport; corpusId: string; gate: DetectionGate }) {
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
