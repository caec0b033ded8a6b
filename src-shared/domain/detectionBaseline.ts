import { z } from 'zod';

const rate = z.number().min(0).max(1);
const half = z.enum(['all', 'development', 'held-out']);

/** The highest false positive rate and the lowest recall that pass; null is not gated. */
const detectionLimits = z.object({
  fprCeiling: rate.nullable(),
  recallFloor: rate.nullable(),
});
export type DetectionLimits = z.infer<typeof detectionLimits>;

/** Limits of detectors, by detector or `combined`; null of corpus or half means any. */
export const detectionBaseline = z.object({
  corpusVersion: z.string().nullable(),
  half: half.nullable(),
  limits: z.record(z.string(), detectionLimits),
});
export type DetectionBaseline = z.infer<typeof detectionBaseline>;

export const detectionBaselineFile = z.object({
  security: z.object({
    corpus_version: z.string().optional(),
    half: half.optional(),
    gates: z.record(
      z.string(),
      z.object({ fpr_ceiling: rate.optional(), recall_floor: rate.optional() }),
    ),
  }),
});

export function fromBaselineFile({
  security,
}: z.infer<typeof detectionBaselineFile>): DetectionBaseline {
  return {
    corpusVersion: security.corpus_version ?? null,
    half: security.half ?? null,
    limits: Object.fromEntries(
      Object.entries(security.gates).map(([detector, gate]) => [
        detector,
        { fprCeiling: gate.fpr_ceiling ?? null, recallFloor: gate.recall_floor ?? null },
      ]),
    ),
  };
}

export function toBaselineFile({
  corpusVersion,
  half: gatedHalf,
  limits,
}: DetectionBaseline): z.infer<typeof detectionBaselineFile> {
  return {
    security: {
      ...(corpusVersion === null ? {} : { corpus_version: corpusVersion }),
      ...(gatedHalf === null ? {} : { half: gatedHalf }),
      gates: Object.fromEntries(
        Object.entries(limits).map(([detector, { fprCeiling, recallFloor }]) => [
          detector,
          {
            ...(fprCeiling === null ? {} : { fpr_ceiling: fprCeiling }),
            ...(recallFloor === null ? {} : { recall_floor: recallFloor }),
          },
        ]),
      ),
    },
  };
}
