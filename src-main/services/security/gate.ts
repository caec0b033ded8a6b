import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  detectionBaselineFile,
  fromBaselineFile,
  type DetectionBaseline,
} from '../../../src-shared/domain/detectionBaseline.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { GateResult, ScoreReport } from '../../../src-shared/domain/security.ts';
import { checkDetectionGates, gateObstacle } from '../../../src-shared/metrics/detectionGate.ts';

const refuse = (name: string, cause: string, nextStep: string) =>
  new ServiceError('INVALID', { thing: `The baseline ${name}`, cause, nextStep });
const example = 'Give {"security":{"gates":{"combined":{"fpr_ceiling":0.05,"recall_floor":0.9}}}}.';

export function readDetectionBaseline(content: string, name: string): DetectionBaseline {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw refuse(name, `It isn't valid JSON (${errorText(error)}).`, example);
  }
  const read = detectionBaselineFile.safeParse(parsed);
  if (read.success) return fromBaselineFile(read.data);
  const [issue] = read.error.issues;
  throw refuse(
    name,
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? "It can't be read."}`,
    example,
  );
}

/** Checks a report against a baseline file, which has to be for this corpus, half and detectors. */
export function checkBaseline(report: ScoreReport, content: string, name: string): GateResult[] {
  const baseline = readDetectionBaseline(content, name);
  const obstacle = gateObstacle(report, baseline);
  if (obstacle) throw refuse(name, obstacle.cause, obstacle.nextStep);
  return checkDetectionGates(report, baseline.limits);
}
