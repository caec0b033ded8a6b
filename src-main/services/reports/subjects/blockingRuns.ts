import {
  failedReasons,
  failsCheck,
  judgementHeadlines,
  newBaselineLines,
  uncheckedLines,
  referencesOf,
  undecidedReasons,
} from '../../../../src-shared/display/judgementTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { Alert, TestCase } from '../report.ts';

/** Which runs a build fails by: only these are red, all others are notes. */
export interface BlockingRuns {
  /** Whether a failed run is of a case or task that regressed in a comparison that failed. */
  fails: (run: { modelSettingsId: string; caseKey: string }) => boolean;
  /** True if runs without a score leave the build without a verdict. */
  unscoredBlocks: boolean;
  /** False if no run fails the build, so that nobody needs to look for one. */
  hasFailures: boolean;
}

export function blockingRuns(judgement: Judgement | null): BlockingRuns {
  const failed = (judgement === null ? [] : referencesOf(judgement)).flatMap((reference) =>
    reference.comparisons.filter((one) => failsCheck(reference, one)),
  );
  const casesByModel = new Map<string, Set<string>>();
  for (const { candidate } of failed)
    casesByModel.set(
      candidate.modelSettingsId,
      new Set([
        ...(casesByModel.get(candidate.modelSettingsId) ?? []),
        ...candidate.regressed.map(({ caseKey }) => caseKey),
      ]),
    );
  // All models together have no model of their own.
  const ofAll = casesByModel.get('');
  return {
    hasFailures: failed.some(({ candidate }) => candidate.regressed.length > 0),
    unscoredBlocks: judgement === null || judgement.unscoredRuns > judgement.allowFailed,
    fails: ({ modelSettingsId, caseKey }) =>
      (casesByModel.get(modelSettingsId) ?? ofAll)?.has(caseKey) ?? false,
  };
}

/** How a run of a case or task ended, and what JUnit says of it. */
export interface TestedRun {
  ended: 'passed' | 'failed' | 'not_scored' | 'not_run';
  /** True if it regressed in a comparison that failed. */
  regressed: boolean;
  type: string;
  message: string;
  text: string;
  /** The whole of it where it doesn’t fail the build. */
  skipped: string;
}

/** Only what fails the build is a failure or an error: every other run is skipped and says why. */
export function outcomeOf(
  { ended, regressed, type, message, text, skipped }: TestedRun,
  { unscoredBlocks }: BlockingRuns,
): TestCase['outcome'] {
  if (ended === 'passed') return null;
  if (ended === 'failed' && regressed) return { kind: 'failure', message, type, text };
  if (ended === 'not_scored' && unscoredBlocks) return { kind: 'error', message, type, text };
  return {
    kind: 'skipped',
    message: ended === 'failed' ? `${skipped} It doesn’t fail the build.` : skipped,
  };
}

/** Why the build doesn’t pass, as errors, and a warning where the result starts a new baseline. */
export function decisionAlerts(judgement: Judgement | null): Alert[] {
  if (judgement === null) return [];
  const started = newBaselineLines(judgement);
  const left = uncheckedLines(judgement);
  const alerts: Alert[] = [
    ...(started.length === 0
      ? []
      : [{ level: 'warning' as const, title: 'New baseline', message: started.join('\n') }]),
    ...(left.length === 0
      ? []
      : [{ level: 'warning' as const, title: 'Tasks not checked', message: left.join('\n') }]),
  ];
  if (judgement.result === 'passed') return alerts;
  const title = judgementHeadlines[judgement.result];
  for (const message of [...undecidedReasons(judgement), ...failedReasons(judgement)])
    alerts.push({ level: 'error', title, message });
  return alerts;
}

/** A run that failed: an error if it fails the build, else a notice. */
export const runAlert = (key: string, label: string, message: string, isRed: boolean): Alert => ({
  level: isRed ? 'error' : 'notice',
  title: `${key}: ${isRed ? 'broken, ' : ''}${label}`,
  message,
});
