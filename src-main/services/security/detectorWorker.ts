import type { RuleDetector } from '../../../src-shared/domain/security.ts';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import { examine } from '../../analysis/detectors/detectors.ts';
import type { Subject } from '../../analysis/detectors/subject.ts';
import type { Finding, PeerTool } from '../../../src-shared/domain/security.ts';

/** One subject to examine. Its `peers` are empty if all items of a batch share them. */
export interface DetectorItem {
  subject: Subject;
  detectors: readonly RuleDetector[];
}

serveItems((item, { shared }): Finding[] => {
  const { subject, detectors } = item as DetectorItem;
  return examine(
    shared === undefined ? subject : { ...subject, peers: shared as PeerTool[] },
    detectors,
  );
});
