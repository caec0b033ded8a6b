import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { Finding, RuleDetector } from '../../../src-shared/domain/security.ts';
import { ruleDetectors } from '../../../src-shared/domain/security.ts';
import { severityRank } from '../../../src-shared/domain/severity.ts';
import { detectDangerousCommand } from './dangerousCommand.ts';
import { detectEncodedPayload } from './encodedPayload.ts';
import { detectExfiltration } from './exfiltration.ts';
import { detectHiddenInstruction } from './hiddenInstruction.ts';
import { detectInvisibleCharacters } from './invisibleCharacters.ts';
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

/**
 * Runs the named detectors on one subject. Findings are ordered by severity, then by place. Linear
 * in the length of the texts.
 */
export function examine(
  subject: Subject,
  detectors: readonly RuleDetector[] = ruleDetectors,
): Finding[] {
  const prepared = prepare(subject);
  return detectors
    .flatMap((name) => detectorsByName[name](prepared))
    .sort(
      (a, b) =>
        severityRank[b.severity] - severityRank[a.severity] ||
        compareText(a.place, b.place) ||
        a.span[0] - b.span[0],
    );
}
