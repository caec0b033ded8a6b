import { z } from 'zod';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  detectorReport,
  entryFinding,
  finding,
  thresholdPoint,
  toolFinding,
} from '../../../../src-shared/domain/security.ts';
import { documentHead } from './documentHead.ts';

const rate = z.number().min(0).max(1).nullable();

/** The numbers of one detector, or of all combined. */
const detector = z.strictObject({
  detector: z.string(),
  precision: rate,
  recall: rate,
  f1: rate,
  fpr: rate,
  tp: z.int(),
  fp: z.int(),
  tn: z.int(),
  fn: z.int(),
  intervals: z.strictObject({ precision: estimate, recall: estimate, f1: estimate, fpr: estimate }),
  hard_negatives: z.strictObject({ flagged: z.int(), fpr: estimate }),
  categories: detectorReport.shape.categories,
  curve: z.array(thresholdPoint),
  spread: detectorReport.shape.spread.unwrap().optional(),
});

/** The verdict of a gate by detector; `passed` is null when it could not be decided. */
const gate = z.strictObject({
  passed: z.boolean(),
  detectors: z.array(
    z.strictObject({
      detector: z.string(),
      passed: z.boolean().nullable(),
      fpr_ceiling: rate,
      recall_floor: rate,
      fpr: rate,
      recall: rate,
      false_alarms: z.array(z.string()).describe('Empty unless the rate is above the ceiling.'),
      missed: z.array(z.string()).describe('Empty unless the recall is below the floor.'),
    }),
  ),
  failed: z.array(z.string()),
  not_decided: z.array(z.string()),
});

const notExamined = z.array(z.strictObject({ id: z.string(), reason: z.string() }));

const score = z.strictObject({
  ...documentHead('security'),
  corpus_version: z.string(),
  entries: z.int(),
  half: z.enum(['all', 'development', 'held-out']),
  per_detector: z.array(detector),
  combined: detector,
  runs_averaged: z.int(),
  findings: z.array(entryFinding),
  false_alarms: z.array(z.string()),
  missed: z.array(z.string()),
  not_examined: notExamined,
  warnings: z
    .array(z.strictObject({ entry: z.string(), reason: z.string(), next_step: z.string() }))
    .describe('Attack categories that no honest text of the corpus resembles.'),
  gate: gate.nullable(),
});

/** A scan of tools; fields that only a corpus can have are empty. */
const scan = z.strictObject({
  ...documentHead('security'),
  servers: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(['listed', 'failed']),
      error: z.string().optional(),
    }),
  ),
  tools: z.int(),
  items: z.int().describe('Prompts, resources and resource templates.'),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      ...finding.shape,
      source: toolFinding.shape.source.describe('Only in a file of a skill.'),
      accepted: toolFinding.shape.accepted,
      fingerprint: z.string(),
    }),
  ),
  changes: z.array(
    z.strictObject({ id: z.string(), since: z.string(), before: z.string(), after: z.string() }),
  ),
  not_examined: notExamined,
  per_detector: z.array(z.unknown()).length(0),
  combined: z.null(),
  runs_averaged: z.literal(1),
  gate: z.null(),
});

/** The report of detectors scored on a corpus, or of a scan of tools. */
export const securityDocument = z.union([score, scan]);
