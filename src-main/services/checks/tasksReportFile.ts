import { z } from 'zod';
import { checkDifference } from '../../../src-shared/domain/callDifference.ts';
import { estimate } from '../../../src-shared/domain/metrics.ts';
import { executionModes, taskOutcomes } from '../../../src-shared/domain/task.ts';
import { runCause } from '../../../src-shared/domain/taskTools.ts';
import { runCauseText } from '../../../src-shared/display/runCauseTexts.ts';
import { taskOutcomeTexts } from '../../../src-shared/display/taskTexts.ts';
import { plainText } from '../../../src-shared/display/verdictTexts.ts';
import { taskEnd } from '../../../src-shared/display/taskTexts.ts';
import { readConditions } from '../runs/conditions.ts';
import {
  sharedModel,
  sharedReport,
  sharedRun,
  trendOf,
  type EvaluationReportFile,
  type ReportedModel,
} from './reportFile.ts';

const numbers = z.looseObject({
  scored: z.int(),
  not_scored: z.int(),
  success_rate: estimate,
  attack_success_rate: estimate,
  call_efficiency: estimate,
  recovery: estimate,
  cost_usd: z.looseObject({ total: z.number().nullable() }),
});

const reportedRun = sharedRun.extend({
  task: z.string(),
  task_hash: z.string(),
  request: z.string(),
  outcome: z.enum(taskOutcomes).nullable(),
  failed_check: z.string().nullable(),
  differences: z.array(checkDifference),
  cause: runCause.nullish(),
  tools: z.array(z.looseObject({ tool: z.string(), needed: z.boolean() })).default([]),
});

/** What a comparison needs of the JSON report of a task evaluation. */
const tasksReportFile = sharedReport.extend({
  format: z.literal('touchstone-tasks'),
  version: z.literal(1),
  evaluation_id: z.string().nullable(),
  number: z.int().nullable(),
  mode: z.enum(executionModes),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  settings: z.looseObject({ repetitions: z.int() }),
  tasks: numbers,
  simulated_user: z.looseObject({ model: z.string() }).nullable().optional(),
  models: z.array(sharedModel.extend({ tasks: numbers })).min(1),
  runs: z.array(reportedRun),
});
type ReportedRun = z.infer<typeof reportedRun>;

/**
 * Reads the report of a task evaluation as a comparison needs it: a task is a case that passes when
 * it succeeds. Throws ZodError if something is missing.
 */
export function readTasksReport(document: unknown): EvaluationReportFile {
  const report = tasksReportFile.parse(document);
  const { started_at: start, completed_at: end } = report;
  return {
    unit: 'task',
    mode: report.mode,
    user: report.simulated_user?.model ?? null,
    evaluation_id: report.evaluation_id ?? '',
    number: report.number ?? 0,
    suite: report.suite,
    snapshot_id: report.snapshot_id,
    tools: report.tools,
    sent_tools: report.sent_tools,
    created_at: start,
    duration_ms: start === null || end === null ? null : Date.parse(end) - Date.parse(start),
    settings: { repetitions: report.settings.repetitions, top_k: null },
    ...numbersIn(report.tasks, report.runs),
    models: report.models.map(({ id, label, provider, model, tasks, conditions }) => ({
      ...{ id, label, provider, model },
      conditions: readConditions(conditions),
      ...numbersIn(
        tasks,
        report.runs.filter((run) => run.model_id === id),
      ),
    })),
    runs: report.runs.map((run) => ({
      ...{ run_id: run.run_id, name: run.name, model_id: run.model_id, repetition: run.repetition },
      ...{ case_id: run.task, case_hash: run.task_hash, query: run.request },
      ...{ classification: null, failure: run.failure },
      passed: isScored(run) ? run.outcome === 'succeeded' : null,
      expected: run.tools.filter(({ needed }) => needed).map(({ tool }) => tool),
      differences: run.differences,
      cause:
        isScored(run) && run.outcome !== 'succeeded'
          ? {
              problem: run.cause
                ? plainText(runCauseText(run.cause))
                : taskOutcomeTexts[run.outcome ?? 'not_run'].label,
              expected: run.cause?.tool ?? '',
              called: run.cause?.called ?? '',
            }
          : null,
      shown: [taskEnd({ outcome: run.outcome, failedCheck: run.failed_check })],
    })),
    askedAgain: report.asked_again,
    trend: trendOf(report.check),
  };
}

const isScored = ({ outcome }: ReportedRun): boolean =>
  outcome !== null && outcome !== 'not_scored';

function numbersIn(
  tasks: z.infer<typeof numbers>,
  runs: readonly ReportedRun[],
): Omit<ReportedModel, 'id' | 'label' | 'provider' | 'model' | 'conditions'> {
  const open = runs.filter(({ outcome }) => outcome === null).length;
  return {
    counts: { failed: tasks.not_scored, open, total: runs.length },
    metrics: {
      success_rate: tasks.success_rate,
      attack_success_rate: tasks.attack_success_rate,
      call_efficiency: tasks.call_efficiency,
      recovery: tasks.recovery,
    },
    latency_ms: { p50: null, p95: null },
    tokens: { input: null, output: null },
    cost_usd: tasks.cost_usd.total,
  };
}
