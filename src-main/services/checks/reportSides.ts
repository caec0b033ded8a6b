import type {
  ComparedSide,
  PassedWhen,
  ToolChanges,
} from '../../../src-shared/domain/comparison.ts';
import type { ComparableSide } from '../results/comparePairs.ts';
import type { CaseIdentity } from '../results/pairCases.ts';
import { changesBetween } from '../results/toolDifferences.ts';
import type { EvaluationReportFile, ReportedModel, ReportedRun } from './reportFile.ts';

/** A report, and what it is called in texts: its file, or the number of its evaluation. */
export interface NamedReport {
  name: string;
  /** False if it was read from the workspace. */
  isFile: boolean;
  report: EvaluationReportFile;
}

/** What several models together are called. */
const allModels = 'all models';

/** One case of a report. */
export interface ReportedCase extends CaseIdentity {
  caseKey: string;
  hash: string;
  name: string;
  query: string;
}

/** The cases of a report, in its order. */
export function casesOf({ runs }: EvaluationReportFile): ReportedCase[] {
  const cases = new Map<string, ReportedCase>();
  for (const { case_id: caseKey, case_hash: hash, name, query } of runs)
    if (!cases.has(caseKey))
      cases.set(caseKey, { testCaseId: null, caseKey, hash, name, query, position: cases.size });
  return [...cases.values()];
}

/** True, false, or null if the run was not scored. */
function hasPassed({ classification, passed }: ReportedRun, when: PassedWhen): boolean | null {
  if (when === 'selection_and_parameters' || classification === null) return passed;
  return classification === 'TP' || classification === 'TN';
}

/** One model of a report, or all of them together, as a side of a comparison. */
export function sideOf(
  { name, isFile, report }: NamedReport,
  model: ReportedModel | null,
  when: PassedWhen,
): ComparableSide<ReportedCase> {
  const runs = Map.groupBy(
    report.runs.filter(({ model_id: id }) => model === null || id === model.id),
    ({ case_id: caseKey }) => caseKey,
  );
  const shown: ComparedSide = {
    ...(isFile && { report: name }),
    unit: report.unit,
    evaluationId: report.evaluation_id,
    number: report.number,
    suiteName: report.suite,
    modelSettingsId: model?.id ?? '',
    model: model?.label ?? allModels,
    snapshotId: report.snapshot_id,
    createdAt: report.created_at,
    whatIfOf: null,
  };
  return {
    shown,
    tally: ({ caseKey }) => {
      const scored = (runs.get(caseKey) ?? [])
        .map((run) => hasPassed(run, when))
        .filter((passed) => passed !== null);
      return { scored: scored.length, right: scored.filter(Boolean).length };
    },
    glance: ({ caseKey }, wanted) => {
      const own = (runs.get(caseKey) ?? []).toSorted((a, b) => a.repetition - b.repetition);
      const run = own.find((each) => (hasPassed(each, when) ?? false) === wanted) ?? own[0];
      return run === undefined ? null : { runId: run.run_id, selected: run.shown };
    },
    describe: ({ name: caseName, query }) => ({ name: caseName, query }),
  };
}

/** The tools that differ between two reports. */
export function toolChangesOf(
  before: EvaluationReportFile,
  after: EvaluationReportFile,
): ToolChanges {
  const read = ({ tools }: EvaluationReportFile) =>
    new Map(tools.map(({ tool_id: id, hash }) => [id, hash]));
  return changesBetween(read(before), read(after));
}
