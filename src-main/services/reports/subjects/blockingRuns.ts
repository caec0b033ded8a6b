import type { Judgement } from '../../../../src-shared/domain/judgement.ts';

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
  const failed = (judgement?.baseline?.comparisons ?? []).filter(
    ({ outcome }) => outcome === 'failed',
  );
  const casesByModel = new Map<string, Set<string>>();
  for (const { candidate } of failed)
    casesByModel.set(
      candidate.modelSettingsId,
      new Set(candidate.regressed.map(({ caseKey }) => caseKey)),
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
