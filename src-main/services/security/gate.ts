import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { GateResult, ScoreReport } from '../../../src-shared/domain/security.ts';
import { checkDetectionGate } from '../../../src-shared/metrics/detection.ts';

const rate = z.number().min(0).max(1);
const gates = z.record(
  z.string(),
  z.object({ fpr_ceiling: rate.optional(), recall_floor: rate.optional() }),
);
const baseline = z.object({
  security: z.object({
    corpus_version: z.string().optional(),
    half: z.enum(['all', 'development', 'held-out']).optional(),
    gates,
  }),
});

/**
 * Checks a report against a baseline file. A gate for a detector that was not run, or for another
 * corpus, is an error: passing it silently would hide a wrong setup.
 */
export function checkBaseline(report: ScoreReport, content: string, name: string): GateResult[] {
  const refuse = (cause: string, nextStep: string) =>
    new ServiceError('INVALID', { thing: `The baseline ${name}`, cause, nextStep });
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch (error) {
    throw refuse(
      `It isn't valid JSON (${errorText(error)}).`,
      'Give {"security":{"gates":{"combined":{"fpr_ceiling":0.05,"recall_floor":0.9}}}}.',
    );
  }
  const read = baseline.safeParse(parsed);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refuse(
      `${issue?.path.join('.') ?? ''}: ${issue?.message ?? "It can't be read."}`,
      'Give {"security":{"gates":{"combined":{"fpr_ceiling":0.05,"recall_floor":0.9}}}}.',
    );
  }
  const { corpus_version, half, gates: gatesByDetector } = read.data.security;
  if (corpus_version !== undefined && corpus_version !== report.corpusVersion)
    throw refuse(
      `It was made for version ${corpus_version} of the corpus, and this is version ` +
        `${report.corpusVersion}.`,
      'Use the corpus it was made for, or create a new baseline.',
    );
  if (half !== undefined && half !== report.half)
    throw refuse(
      `It was made for the half ${half}, and this report is of ${report.half}.`,
      `Give --half ${half}.`,
    );
  return Object.entries(gatesByDetector).map(([detector, gate]) => {
    const found =
      detector === 'combined'
        ? report.combined
        : report.perDetector.find((each) => each.detector === detector);
    if (!found)
      throw refuse(
        `It gates the detector ${detector}, which was not run.`,
        'Run it too, or remove its gate.',
      );
    return checkDetectionGate(found, {
      fprCeiling: gate.fpr_ceiling ?? null,
      recallFloor: gate.recall_floor ?? null,
    });
  });
}
