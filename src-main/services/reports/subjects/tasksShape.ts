import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { sentToolsShapes } from './sentToolsParts.ts';

type Summary = TaskReport['summary'];

const spent = ({ total, perTask, perSuccess }: Summary['steps']) => ({
  total,
  per_run: perTask,
  per_success: perSuccess,
});

const rate = ({ value, low, high, n }: Estimate) => ({ value, low, high, n });

/** The numbers of task runs as programs read them. */
const taskNumbersShape = (summary: Summary) => ({
  scored: summary.scored,
  succeeded: summary.succeeded,
  not_scored: summary.notScored,
  success_rate: rate(summary.successRate),
  pass_at_k: summary.passAtK.map(({ k, atLeastOne, all, tasks }) => ({
    k,
    pass_at_k: atLeastOne,
    pass_hat_k: all,
    tasks,
  })),
  steps: spent(summary.steps),
  tool_calls: spent(summary.calls),
  tokens: spent(summary.tokens),
  cache_read_tokens: spent(summary.cacheRead),
  cache_write_tokens: spent(summary.cacheWrite),
  cost_usd: spent(summary.cost),
  time_ms: spent(summary.timeMs),
  call_efficiency: rate(summary.callEfficiency),
  recovery: rate(summary.recovery),
  repeated_calls: summary.repeatedCalls,
  unused_calls: summary.unusedCalls,
  unwanted_effects: summary.unwantedEffects,
  attack_success_rate: rate(summary.attackSuccess),
  not_exposed: summary.notExposed,
  attacks: summary.attacks.map(({ technique, attackSuccess, taskSuccess, notExposed }) => ({
    technique,
    attack_success_rate: rate(attackSuccess),
    success_rate: rate(taskSuccess),
    not_exposed: notExposed,
  })),
  first_wrong_steps: summary.firstWrong,
  confusions: summary.confusions.map(({ expected, called, runs }) => ({ expected, called, runs })),
  tools: summary.tools.map((tool) => ({
    tool: tool.tool,
    needed: tool.needed,
    called: tool.called,
    called_where_needed: rate(tool.calledWhereNeeded),
    missed: tool.missed,
    wrong: tool.wrong,
    calls: tool.calls,
    errors: tool.errors,
    sent: tool.sent,
    no_answer: tool.unanswered,
    crashes: tool.crashes,
    time_per_call_ms: tool.timePerCallMs,
    success_rate: rate(tool.success),
  })),
});

/** A task evaluation as programs read it: the answer of `--json` and the JSON report. */
export function tasksShape(report: TaskReport) {
  const { evaluation, summary, judge, user, causes, executed, runs } = report;
  const summaries = new Map(report.models.map((model) => [model.id, model.summary]));
  const models = evaluation.models.map(({ id, provider, model, baseUrl, refused }) => ({
    id,
    label: report.models.find((each) => each.id === id)?.label ?? model,
    provider,
    model,
    base_url: baseUrl,
    ...(refused && { refused }),
    conditions: report.conditions[id] ?? {},
  }));
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  const tasks = new Map(report.tasks.map((task) => [task.key, task]));
  return {
    evaluation_id: evaluation.id,
    number: evaluation.number,
    suite: evaluation.suiteName,
    status: evaluation.state,
    reason: evaluation.reason,
    mode: evaluation.settings.mode,
    snapshot_id: evaluation.snapshotId,
    tools: report.tools.map(({ toolId, hash }) => ({ tool_id: toolId, hash })),
    sent_tools: sentToolsShapes(report.sentTools),
    started_at: evaluation.startedAt,
    completed_at: evaluation.completedAt,
    settings: {
      servers: evaluation.settings.servers,
      repetitions: evaluation.settings.repetitions,
    },
    executed: executed.map(({ tool, calls, unanswered, destructive }) => ({
      tool,
      calls,
      no_answer: unanswered,
      destructive,
    })),
    outcomes: evaluation.outcomes,
    tasks: taskNumbersShape(summary),
    models: models.map((model) => ({
      ...model,
      tasks: taskNumbersShape(summaries.get(model.id) ?? summary),
    })),
    judge: judge && {
      model: judge.judge,
      counts: judge.counts,
      kappa: judge.kappa,
      n: judge.n,
      both_yes: judge.bothYes,
      only_person: judge.onlyPerson,
      only_judge: judge.onlyJudge,
      both_no: judge.bothNo,
      asked: judge.asked,
      unusable: judge.unusable,
      cost_usd: judge.cost,
    },
    spend: { cost_usd: report.spend.usd, unanswered_requests: report.spend.unanswered },
    simulated_user: user && {
      model: user.model,
      runs: user.runs,
      turns: user.turns,
      tokens: user.tokens,
      cost_usd: user.cost,
    },
    causes: causes.map(({ outcome, cause, runs: count }) => ({ outcome, cause, runs: count })),
    runs: runs.map((run) => ({
      run_id: run.runId,
      task: run.taskKey,
      task_hash: tasks.get(run.taskKey)?.hash ?? '',
      name: run.taskName,
      request: tasks.get(run.taskKey)?.request ?? '',
      model_id: run.modelSettingsId,
      model: labels.get(run.modelSettingsId) ?? run.modelSettingsId,
      repetition: run.repetition,
      attempt: run.attempt,
      outcome: run.outcome,
      reason: run.reason,
      failed_check: run.failedCheck,
      failure: run.failure,
      checks: run.checks.map(({ id, kind, passed, reason, advisory, unusable }) => ({
        id,
        kind,
        passed,
        reason,
        ...(advisory === true && { advisory }),
        ...(unusable === true && { unusable }),
      })),
      ...(run.facts && {
        steps: run.facts.steps,
        tool_calls: run.facts.calls,
        needed_calls: run.facts.neededCalls,
        tokens: run.facts.tokens,
        cache_read_tokens: run.facts.tokens === null ? null : (run.facts.cacheRead ?? 0),
        cache_write_tokens: run.facts.tokens === null ? null : (run.facts.cacheWrite ?? 0),
        cost_usd: run.facts.cost,
        ...(run.facts.spend && {
          spend: {
            cost_usd: run.facts.spend.usd,
            unanswered_requests: run.facts.spend.unanswered,
          },
        }),
        ...(run.facts.judgeCost !== undefined && { judge_cost_usd: run.facts.judgeCost }),
        ...(run.facts.user && {
          simulated_user: {
            model: run.facts.user.model,
            turns: run.facts.user.turns,
            tokens: run.facts.user.tokens,
            cost_usd: run.facts.user.cost,
          },
        }),
        time_ms: run.facts.elapsedMs,
        tool_errors: run.facts.toolErrors,
        repeated_calls: run.facts.repeatedCalls,
        unused_calls: run.facts.unusedCalls,
        unwanted_effects: run.facts.unwantedEffects,
        ...(run.facts.callNotes && { call_notes: run.facts.callNotes }),
        attack: run.facts.attack,
      }),
      ...(run.toolUse && {
        steps_known: run.toolUse.stepsKnown,
        first_wrong_step: run.toolUse.firstWrong && {
          // Steps are counted from 1, as people see them.
          step: run.toolUse.firstWrong.step + 1,
          expected: run.toolUse.firstWrong.expected,
          called: run.toolUse.firstWrong.called,
          by: run.toolUse.firstWrong.by,
        },
        tools: run.toolUse.tools.map(({ unanswered, timeMs, ...tool }) => ({
          tool: tool.tool,
          needed: tool.needed,
          calls: tool.calls,
          errors: tool.errors,
          sent: tool.sent,
          no_answer: unanswered,
          crashes: tool.crashes,
          time_ms: timeMs,
        })),
      }),
    })),
  };
}
