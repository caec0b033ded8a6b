import { subjectName } from '../../../src-shared/display/signalTexts.ts';
import type {
  DetectorReport,
  GateResult,
  ScannedTool,
  ScoreReport,
  ToolFinding,
} from '../../../src-shared/domain/security.ts';

/** The JSON fields of a detector; programs depend on their names. */
function detectorShape({
  detector,
  tp,
  fp,
  tn,
  fn,
  precision,
  recall,
  f1,
  fpr,
  hardNegatives,
  categories,
  curve,
  spread,
}: DetectorReport) {
  return {
    detector,
    precision: precision.value,
    recall: recall.value,
    f1: f1.value,
    fpr: fpr.value,
    tp,
    fp,
    tn,
    fn,
    intervals: { precision, recall, f1, fpr },
    hard_negatives: { flagged: hardNegatives.flagged, fpr: hardNegatives.fpr },
    categories,
    curve,
    ...(spread ? { spread } : {}),
  };
}

/** The gate passes only if every detector does; undecided ones are listed separately. */
function gateShape(gates: readonly GateResult[] | null) {
  if (gates === null) return null;
  return {
    passed: gates.every(({ passed }) => passed === true),
    detectors: gates.map((gate) => ({
      detector: gate.detector,
      passed: gate.passed,
      fpr_ceiling: gate.fprCeiling,
      recall_floor: gate.recallFloor,
      fpr: gate.fpr,
      recall: gate.recall,
      false_alarms: gate.falseAlarms,
      missed: gate.missed,
    })),
    failed: gates.filter(({ passed }) => passed === false).map(({ detector }) => detector),
    not_decided: gates.filter(({ passed }) => passed === null).map(({ detector }) => detector),
  };
}

/** The JSON document of `security --corpus`. */
export function scoreShape(report: ScoreReport, gates: readonly GateResult[] | null) {
  return {
    corpus_version: report.corpusVersion,
    entries: report.entries,
    half: report.half,
    per_detector: report.perDetector.map(detectorShape),
    combined: detectorShape(report.combined),
    runs_averaged: report.runsAveraged,
    findings: report.findings,
    false_alarms: report.combined.falseAlarms,
    missed: report.combined.missed,
    not_examined: report.notExamined,
    warnings: report.warnings.map(({ entry, reason, nextStep }) => ({
      entry,
      reason,
      next_step: nextStep,
    })),
    gate: gateShape(gates),
  };
}

/** The findings of all tools in one list, in the order of the tools. */
export const allFindings = (tools: readonly ScannedTool[]): ToolFinding[] =>
  tools.flatMap(({ findings }) => findings);

/** The JSON document of a scan. */
export function scanShape(
  tools: readonly ScannedTool[],
  servers: readonly { name: string; problem: string | null }[],
) {
  return {
    servers: servers.map(({ name, problem }) => ({
      name,
      status: problem === null ? 'listed' : 'failed',
      ...(problem === null ? {} : { error: problem }),
    })),
    tools: countScannedTools(tools),
    items: tools.filter(({ item }) => item !== undefined).length,
    findings: allFindings(tools).map(({ server, tool, fingerprint, item: _item, ...finding }) => ({
      id: subjectName(server, tool),
      ...finding,
      fingerprint,
    })),
    changes: tools.flatMap(({ server, tool, change }) =>
      change
        ? [
            {
              id: subjectName(server, tool),
              since: change.at,
              before: change.before,
              after: change.after,
            },
          ]
        : [],
    ),
    not_examined: tools.flatMap(({ server, tool, problem }) =>
      problem === null ? [] : [{ id: subjectName(server, tool), reason: problem }],
    ),
    per_detector: [],
    combined: null,
    runs_averaged: 1,
    gate: null,
  };
}

/** Tools among the examined texts; instructions, prompts and resources are none. */
export const countScannedTools = (tools: readonly Pick<ScannedTool, 'tool' | 'item'>[]): number =>
  tools.filter(({ tool, item }) => tool !== '' && item === undefined).length;
