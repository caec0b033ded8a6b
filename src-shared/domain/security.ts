import { z } from 'zod';
import { datasetWarning } from './datasetWarning.ts';
import { severities, type Severity } from './severity.ts';
import { jsonObject } from './json.ts';
import { itemReference } from './serverItem.ts';
import { estimate } from './metrics.ts';

export const entryLabels = ['malicious', 'benign'] as const;
export type EntryLabel = (typeof entryLabels)[number];
export const attackCategories = [
  'tool_poisoning',
  'prompt_injection',
  'shadowing',
  'rug_pull',
] as const;
export const entryCategories = [...attackCategories, 'benign', 'hard_negative'] as const;
export type AttackCategory = (typeof attackCategories)[number];

export const severity = z.enum(severities);
/** Findings of at least this severity count as flagged when detectors are scored. */
export const minFlaggedSeverity: Severity = 'medium';

/** The detectors that need no model, in display order. */
export const ruleDetectors = [
  'hidden_instruction',
  'exfiltration',
  'shadowing',
  'invisible_characters',
  'encoded_payload',
  'dangerous_command',
  'rug_pull',
] as const;
export type RuleDetector = (typeof ruleDetectors)[number];
export const modelJudge = 'model_judge';

/**
 * What a detector found. `place` is a JSON pointer into the examined subject (the tool, its server's
 * name and instructions); the suffix `#name` means the key itself, not its value.
 */
export const finding = z.object({
  detector: z.string(),
  rule: z.string(),
  category: z.enum(attackCategories),
  severity,
  place: z.string(),
  /** Offsets in UTF-16 units in the string at `place`, end exclusive. */
  span: z.tuple([z.number().int(), z.number().int()]),
  /** The text of the span, shortened if it is long. */
  text: z.string(),
  why: z.string(),
});
export type Finding = z.infer<typeof finding>;

const peerTool = z.object({
  server: z.string().default(''),
  name: z.string(),
  description: z.string().default(''),
  schema: jsonObject.optional(),
});
export type PeerTool = z.infer<typeof peerTool>;
const earlierVersion = z.object({
  description: z.string().default(''),
  schema: jsonObject.optional(),
});
export type EarlierVersion = z.infer<typeof earlierVersion>;

export const corpusEntry = z.object({
  id: z.string().min(1).max(200),
  description: z.string(),
  label: z.enum(entryLabels),
  category: z.enum(entryCategories),
  provenance: z.object({ source: z.string().min(1), license: z.string().min(1) }),
  /**
   * How an attack is disguised, or which attack a hard negative resembles. Detectors see neither.
   */
  technique: z.string().optional(),
  resembles: z.enum(attackCategories).optional(),
  server: z.string().optional(),
  tool: z.union([z.string(), jsonObject]).optional(),
  schema: jsonObject.optional(),
  instructions: z.string().optional(),
  peers: z.array(peerTool).optional(),
  previous: earlierVersion.optional(),
});
export type CorpusEntry = z.infer<typeof corpusEntry>;

export interface SecurityCorpus {
  version: string;
  entries: CorpusEntry[];
}

/**
 * Counts and rates of one detector over some entries. Rates are null if their denominator is zero.
 */
const detectionScore = z.object({
  tp: z.number().int(),
  fp: z.number().int(),
  tn: z.number().int(),
  fn: z.number().int(),
  precision: estimate,
  recall: estimate,
  f1: estimate,
  fpr: estimate,
});
export type DetectionScore = z.infer<typeof detectionScore>;

export const thresholdPoint = z.object({
  threshold: z.string(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  fpr: z.number().nullable(),
});
export type ThresholdPoint = z.infer<typeof thresholdPoint>;

export const detectorReport = detectionScore.extend({
  detector: z.string(),
  /** Only honest texts that resemble attacks: the false alarms that matter most. */
  hardNegatives: z.object({ flagged: z.number().int(), fpr: estimate }),
  /** Recall for each attack category; false alarm rate for each kind of honest text. */
  categories: z.array(
    z.object({ category: z.string(), flagged: z.number().int(), rate: estimate }),
  ),
  /** One point per threshold of the detector; empty if it only says yes or no. */
  curve: z.array(thresholdPoint),
  /** Standard deviation of the rates over the runs of a model; null for deterministic detectors. */
  spread: z.object({ recall: z.number().nullable(), fpr: z.number().nullable() }).nullable(),
  /** The honest texts that it flags, and the attacks that it doesn't. */
  falseAlarms: z.array(z.string()),
  missed: z.array(z.string()),
});
export type DetectorReport = z.infer<typeof detectorReport>;

export const gateResult = z.object({
  detector: z.string(),
  fprCeiling: z.number().nullable(),
  recallFloor: z.number().nullable(),
  fpr: z.number().nullable(),
  recall: z.number().nullable(),
  /** Null if a gated rate is not defined: neither passed nor failed. */
  passed: z.boolean().nullable(),
  /** The entries that made it fail: flagged ones above the ceiling, missed ones below the floor. */
  falseAlarms: z.array(z.string()),
  missed: z.array(z.string()),
});
export type GateResult = z.infer<typeof gateResult>;

export const entryFinding = finding.extend({ id: z.string() });
export type EntryFinding = z.infer<typeof entryFinding>;

export const scoreReport = z.object({
  corpusVersion: z.string(),
  entries: z.number().int(),
  half: z.enum(['all', 'development', 'held-out']),
  perDetector: z.array(detectorReport),
  combined: detectorReport,
  runsAveraged: z.number().int(),
  findings: z.array(entryFinding),
  /** Entries that could not be examined, with the reason; they are in no number. */
  notExamined: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** What is missing in the corpus. */
  warnings: z.array(datasetWarning),
});
export type ScoreReport = z.infer<typeof scoreReport>;

/** A finding on a server's tool, with the fingerprint that identifies it in the next scan. */
export const toolFinding = finding.extend({
  fingerprint: z.string(),
  server: z.string(),
  /** Empty for the server's own instructions; for a prompt or a resource, its kind and name. */
  tool: z.string(),
  /** Only of a prompt, a resource or a resource template. */
  item: itemReference.optional(),
  /** Only in the body or a file of a skill: where in its folder. */
  source: z.object({ file: z.string(), line: z.number().int() }).optional(),
  /** Why a user marked it as safe; null if nobody did. Valid until the tool's content changes. */
  accepted: z.object({ reason: z.string(), at: z.string() }).nullable(),
});
export type ToolFinding = z.infer<typeof toolFinding>;

/** The previous version of a changed tool, from the last listing that had it. */
const toolChange = z.object({ at: z.string(), before: z.string(), after: z.string() });
export type ToolChange = z.infer<typeof toolChange>;

const scannedTool = z.object({
  serverId: z.string().nullable(),
  server: z.string(),
  /**
   * Empty for the server's own instructions, which are examined on their own; for a prompt or a
   * resource, its kind and name.
   */
  tool: z.string(),
  /** Only of a prompt, a resource or a resource template. */
  item: itemReference.optional(),
  /** The object that the `place` of a finding points into. */
  definition: jsonObject,
  findings: z.array(toolFinding),
  change: toolChange.nullable(),
  /** The first listing of its server that had exactly this text; null for tools of no listing. */
  firstSeenAt: z.string().nullable(),
  /** Why it could not be examined; null if it was. */
  problem: z.string().nullable(),
});
export type ScannedTool = z.infer<typeof scannedTool>;

export const scanReport = z.object({
  servers: z.array(
    z.object({
      id: z.string().nullable(),
      name: z.string(),
      listedAt: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
  tools: z.array(scannedTool),
});
export type ScanReport = z.infer<typeof scanReport>;

export const corpusOverview = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** Built-in corpora never change; a copy can be edited. */
  builtIn: z.boolean(),
  /** An entry's license does not allow passing its text on. */
  private: z.boolean(),
  entries: z.number().int(),
  malicious: z.number().int(),
  hardNegatives: z.number().int(),
  warnings: z.array(datasetWarning),
});
export type CorpusOverview = z.infer<typeof corpusOverview>;
