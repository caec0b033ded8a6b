import type { DetectionBaseline, DetectionLimits } from '../domain/detectionBaseline.ts';
import type { DetectorReport, GateResult, ScoreReport } from '../domain/security.ts';

const epsilon = 1e-9;

/**
 * Checks a gate: FPR at most the ceiling and recall at least the floor, with a tolerance of 1e-9.
 * Null if a gated rate is not defined. A failed gate lists the entries that made it fail.
 */
export function checkDetectionGate(
  { detector, fpr, recall, falseAlarms, missed }: DetectorReport,
  { fprCeiling, recallFloor }: DetectionLimits,
): GateResult {
  const tooHigh = fprCeiling !== null && fpr.value !== null && fpr.value > fprCeiling + epsilon;
  const tooLow =
    recallFloor !== null && recall.value !== null && recall.value < recallFloor - epsilon;
  const undefinedRate =
    (fprCeiling !== null && fpr.value === null) || (recallFloor !== null && recall.value === null);
  return {
    detector,
    fprCeiling,
    recallFloor,
    fpr: fpr.value,
    recall: recall.value,
    passed: tooHigh || tooLow ? false : undefinedRate ? null : true,
    falseAlarms: tooHigh ? falseAlarms : [],
    missed: tooLow ? missed : [],
  };
}

type Gated = Pick<ScoreReport, 'corpusVersion' | 'half' | 'perDetector' | 'combined'>;

const reportOf = (
  { perDetector, combined }: Gated,
  detector: string,
): DetectorReport | undefined =>
  detector === 'combined' ? combined : perDetector.find((each) => each.detector === detector);

/**
 * Why a report can't be judged by a baseline: it is of another corpus or half, or a gated detector
 * was not run. Null if it can. Passing such a gate silently would hide a wrong setup.
 */
export function gateObstacle(
  report: Gated,
  { corpusVersion, half, limits }: DetectionBaseline,
): { cause: string; nextStep: string } | null {
  if (corpusVersion !== null && corpusVersion !== report.corpusVersion)
    return {
      cause:
        `It was made for version ${corpusVersion} of the corpus, and this is version ` +
        `${report.corpusVersion}.`,
      nextStep: 'Use the corpus it was made for, or create a new baseline.',
    };
  if (half !== null && half !== report.half)
    return {
      cause: `It was made for the half ${half}, and this report is of ${report.half}.`,
      nextStep: `Score the ${half === 'all' ? 'entries of both halves' : `${half} half`}.`,
    };
  const notRun = Object.keys(limits).find((detector) => !reportOf(report, detector));
  return notRun === undefined
    ? null
    : {
        cause: `It gates the detector ${notRun}, which was not run.`,
        nextStep: 'Run it too, or remove its gate.',
      };
}

/** The verdict of each gated detector; gates of detectors that were not run are left out. */
export function checkDetectionGates(
  report: Gated,
  limits: DetectionBaseline['limits'],
): GateResult[] {
  return Object.entries(limits).flatMap(([detector, gate]) => {
    const found = reportOf(report, detector);
    return found ? [checkDetectionGate(found, gate)] : [];
  });
}
