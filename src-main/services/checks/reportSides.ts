import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { firstRun, type Side, type SideItem } from '../results/side.ts';
import { pooledConditions } from '../runs/conditions.ts';
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

export function itemsOf({ runs }: Pick<EvaluationReportFile, 'runs'>): SideItem[] {
  const items = new Map<string, SideItem>();
  for (const { case_id: caseKey, case_hash: content } of runs)
    if (!items.has(caseKey))
      items.set(caseKey, { testCaseId: null, caseKey, content, position: items.size });
  return [...items.values()];
}

/** Whether a label is that of a tool that is offered no more. */
export type IsRemoved = (label: string) => boolean;

/** True for a run that was not asked because its tool was removed. */
export const isLost = ({ passed, failure, expected }: ReportedRun, isRemoved: IsRemoved): boolean =>
  passed === null && failure === 'tool_not_offered' && expected.some(isRemoved);

/** True, false, or null if the run was not scored. */
function hasPassed({ classification, passed }: ReportedRun, when: PassedWhen): boolean | null {
  if (when === 'selection_and_parameters' || classification === null) return passed;
  return classification === 'TP' || classification === 'TN';
}

/** The same of a check: a run whose only tool was removed failed. */
export const runResult = (
  run: ReportedRun,
  when: PassedWhen,
  isRemoved: IsRemoved = () => false,
): boolean | null => (isLost(run, isRemoved) ? false : hasPassed(run, when));

/**
 * One model of a report as a side of a comparison; null = all of its models together. A run whose
 * only tool was removed failed.
 */
export function reportSide(
  { name, isFile, report }: NamedReport,
  model: ReportedModel | null,
  isRemoved: IsRemoved = () => false,
): Side {
  const result = (run: ReportedRun, when: PassedWhen) => runResult(run, when, isRemoved);
  const runs = Map.groupBy(
    report.runs.filter(({ model_id: id }) => model === null || id === model.id),
    ({ case_id: caseKey }) => caseKey,
  );
  const first = new Map(report.runs.toReversed().map((run) => [run.case_id, run]));
  const runsOf = ({ caseKey }: SideItem) => runs.get(caseKey ?? '') ?? [];
  return {
    unit: report.unit,
    mode: report.mode,
    user: report.user,
    name,
    model,
    conditions: model?.conditions ?? pooledConditions(report.models.map((each) => each.conditions)),
    lost: () => {
      const ids = model === null ? report.models.map(({ id }) => id) : [model.id];
      const sent = report.sent_tools.find(({ model_id: id }) => ids.includes(id))?.by_client;
      return sent === undefined ? null : { hidden: sent.hidden.length, cut: sent.cut.length };
    },
    shown: {
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
    },
    baseId: null,
    tools: () => new Map(report.tools.map(({ tool_id: id, hash }) => [id, hash])),
    items: itemsOf(report),
    isRenamed: false,
    question: ({ content }) => content,
    tally: (item, when) => {
      const scored = runsOf(item)
        .map((run) => result(run, when))
        .filter((passed) => passed !== null);
      return { scored: scored.length, right: scored.filter(Boolean).length };
    },
    glance: (item, wanted, when) => {
      const run = firstRun(runsOf(item), (each) => result(each, when), wanted);
      return run === undefined ? null : { runId: run.run_id, selected: run.shown };
    },
    describe: ({ caseKey }) => {
      const run = first.get(caseKey ?? '');
      return { name: run?.name ?? '', query: run?.query ?? '' };
    },
    differences: (item, runId) =>
      runsOf(item).find((run) => run.run_id === runId)?.differences ?? [],
  };
}
