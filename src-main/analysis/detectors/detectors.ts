import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { Finding, RuleDetector } from '../../../src-shared/domain/security.ts';
import { minFlaggedSeverity, ruleDetectors } from '../../../src-shared/domain/security.ts';
import { severityRank } from '../../../src-shared/domain/severity.ts';
import { detectDangerousCommand } from './dangerousCommand.ts';
import { detectEncodedPayload } from './encodedPayload.ts';
import { detectExfiltration } from './exfiltration.ts';
import { detectHiddenInstruction } from './hiddenInstruction.ts';
import { detectInvisibleCharacters } from './invisibleCharacters.ts';
import { learnedRule } from './learned/findings.ts';
import { shippedWeights, type LearnedWeights } from './learned/weights.ts';
import { prepare, type Detect } from './prepared.ts';
import { detectRugPull } from './rugPull.ts';
import { detectShadowing } from './shadowing.ts';
import type { Subject } from './subject.ts';

const detectorsByName: Record<RuleDetector, Detect> = {
  hidden_instruction: detectHiddenInstruction,
  exfiltration: detectExfiltration,
  shadowing: detectShadowing,
  invisible_characters: detectInvisibleCharacters,
  encoded_payload: detectEncodedPayload,
  dangerous_command: detectDangerousCommand,
  rug_pull: detectRugPull,
};

/** A rule says more exactly what is wrong than the learned weights do about the same words. */
function withoutRepeats(found: readonly Finding[]): Finding[] {
  const exact = found.filter(
    ({ rule, severity }) =>
      rule !== learnedRule && severityRank[severity] >= severityRank[minFlaggedSeverity],
  );
  return found.filter(
    ({ rule, place, span }) =>
      rule !== learnedRule ||
      !exact.some(
        (other) => other.place === place && other.span[0] < span[1] && other.span[1] > span[0],
      ),
  );
}

/**
 * Runs the named detectors on one subject. Findings are ordered by severity, then by place. Linear
 * in the length of the texts.
 */
export function examine(
  subject: Subject,
  detectors: readonly RuleDetector[] = ruleDetectors,
  weights: LearnedWeights = shippedWeights(),
): Finding[] {
  const prepared = prepare(subject, weights);
  return withoutRepeats(detectors.flatMap((name) => detectorsByName[name](prepared))).sort(
    (a, b) =>
      severityRank[b.severity] - severityRank[a.severity] ||
      compareText(a.place, b.place) ||
      a.span[0] - b.span[0],
  );
}
