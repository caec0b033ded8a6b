import {
  describeWarning,
  type DatasetWarning,
} from '../../../../src-shared/domain/datasetWarning.ts';
import type { Output } from './output.ts';

const maxNoted = 10;

/** Notes what makes a labeled file less telling, on standard error. */
export function noteWarnings(output: Output, warnings: readonly DatasetWarning[]): void {
  for (const warning of warnings.slice(0, maxNoted))
    output.note(`Warning: ${describeWarning(warning)}`);
  if (warnings.length > maxNoted)
    output.note(`Warning: and ${warnings.length - maxNoted} more of the same kind.`);
}
