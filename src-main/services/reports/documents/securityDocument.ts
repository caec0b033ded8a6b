import { z } from 'zod';
import { subjectName } from '../../../../src-shared/display/signalTexts.ts';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  detectorReport,
  entryFinding,
  finding,
  thresholdPoint,
  toolFinding,
  type DetectorReport,
  type GateResult,
  type ScannedTool,
  type ScoreReport,
  type ToolFinding,
} from '../../../../src-shared/domain/security.ts';
import { allFindings, countScannedTools } from '../../security/scannedTools.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

const rate = z.number().min(0).max(1).nullable();

/** A rate without its interval. */
const valueOf = (name: 'precision' | 'recall' | 'f1' | 'fpr') =>
  [rate, (report: DetectorReport): number | null => report[name].value] as const;

const detector = published<DetectorReport>()({
  detector: z.string(),
  precision: valueOf('precision'),
  recall: valueOf('recall'),
  f1: valueOf('f1'),
  fpr: valueOf('fpr'),
  tp: z.int(),
  fp: z.int(),
  tn: z.int(),
  fn: z.int(),
  intervals: [
    z.strictObject({ precision: estimate, recall: estimate, f1: estimate, fpr: estimate }),
    ({ precision, recall, f1, fpr }) => ({ precision, recall, f1, fpr }),
  ],
  hard_negatives: published<DetectorReport['hardNegatives']>()({ flagged: z.int(), fpr: estimate }),
  categories: detectorReport.shape.categories,
  curve: z.array(thresholdPoint),
  spread: [detectorReport.shape.spread.unwrap().optional(), ({ spread }) => spread ?? undefined],
});

/**
 * The verdict of a gate by detector; `passed` is null when it could not be decided. The gate passes
 * only if every detector does.
 */
const gate = published<{ results: readonly GateResult[] }>()({
  passed: [z.boolean(), ({ results }) => results.every(({ passed }) => passed === true)],
  detectors: [
    z.array(
      published<GateResult>()({
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
    'results',
  ],
  failed: [z.array(z.string()), ({ results }) => namesOf(results, false)],
  not_decided: [z.array(z.string()), ({ results }) => namesOf(results, null)],
});

const namesOf = (results: readonly GateResult[], outcome: boolean | null): string[] =>
  results.filter(({ passed }) => passed === outcome).map(({ detector: name }) => name);

const notExamined = z.array(z.strictObject({ id: z.string(), reason: z.string() }));

/** The document of `security --corpus`. */
export const scoreDocument = published<ScoreReport & { gates: readonly GateResult[] | null }>()({
  ...documentHead('security'),
  corpus_version: z.string(),
  entries: z.int(),
  half: z.enum(['all', 'development', 'held-out']),
  per_detector: z.array(detector),
  combined: detector,
  runs_averaged: z.int(),
  findings: z.array(entryFinding),
  false_alarms: [z.array(z.string()), ({ combined }) => combined.falseAlarms],
  missed: [z.array(z.string()), ({ combined }) => combined.missed],
  not_examined: notExamined,
  warnings: z
    .array(
      published<ScoreReport['warnings'][number]>()({
        entry: z.string(),
        reason: z.string(),
        next_step: z.string(),
      }),
    )
    .describe('Attack categories that no honest text of the corpus resembles.'),
  gate: [gate.nullable(), ({ gates }) => gates && { results: gates }],
});

interface Scan {
  tools: readonly ScannedTool[];
  servers: readonly { name: string; problem: string | null }[];
}

/** A scan of tools; fields that only a corpus can have are empty. */
export const scanDocument = published<Scan>()({
  ...documentHead('security'),
  servers: z.array(
    published<Scan['servers'][number]>()({
      name: z.string(),
      status: [
        z.enum(['listed', 'failed']),
        ({ problem }) => (problem === null ? 'listed' : 'failed'),
      ],
      error: [z.string().optional(), ({ problem }) => problem ?? undefined],
    }),
  ),
  tools: [z.int(), ({ tools }) => countScannedTools(tools)],
  items: [
    z.int().describe('Prompts, resources and resource templates.'),
    ({ tools }) => tools.filter(({ item }) => item !== undefined).length,
  ],
  findings: [
    z.array(
      z.strictObject({
        id: z.string(),
        ...finding.shape,
        source: toolFinding.shape.source.describe('Only in a file of a skill.'),
        accepted: toolFinding.shape.accepted,
        fingerprint: z.string(),
      }),
    ),
    ({ tools }) => allFindings(tools).map(shownFinding),
  ],
  changes: [
    z.array(
      z.strictObject({ id: z.string(), since: z.string(), before: z.string(), after: z.string() }),
    ),
    ({ tools }) =>
      tools.flatMap(({ server, tool, change }) =>
        change
          ? {
              id: subjectName(server, tool),
              since: change.at,
              before: change.before,
              after: change.after,
            }
          : [],
      ),
  ],
  not_examined: [
    notExamined,
    ({ tools }) =>
      tools.flatMap(({ server, tool, problem }) =>
        problem === null ? [] : { id: subjectName(server, tool), reason: problem },
      ),
  ],
  per_detector: [z.array(z.unknown()).length(0), () => []],
  combined: [z.null(), () => null],
  runs_averaged: [z.literal(1), () => 1],
  gate: [z.null(), () => null],
});

function shownFinding({ server, tool, fingerprint, item: _item, ...found }: ToolFinding) {
  return { id: subjectName(server, tool), ...found, fingerprint };
}

/** The report of detectors scored on a corpus, or of a scan of tools. */
export const securityDocument = z.union([scoreDocument, scanDocument]);
