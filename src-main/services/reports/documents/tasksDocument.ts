import { z } from 'zod';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import { executionModes, taskOutcomes } from '../../../../src-shared/domain/task.ts';
import { taskShardContent } from '../../../../src-shared/domain/taskShardContent.ts';
import { taskFailure, taskOutcomeCounts } from '../../../../src-shared/domain/taskEvaluation.ts';
import { evaluationState } from '../../../../src-shared/domain/evaluation.ts';
import { conditions } from '../../runs/conditions.ts';
import { reportedSentTools } from './sentToolsDocument.ts';
import { documentHead, refusedSettings } from './documentHead.ts';
import { reportedJudgement, reportedUnscored } from './judgementDocument.ts';

const spent = z.strictObject({
  total: z.number().nullable().describe('Over scored runs; null if a run has no value.'),
  per_run: z.number().nullable(),
  per_success: z
    .number()
    .nullable()
    .describe('The total of all scored runs ÷ runs that succeeded.'),
});

const paid = z.strictObject({
  cost_usd: z.number().nullable().describe('Null if a price or a count of tokens is missing.'),
  unanswered_requests: z.int().describe('Without a count of tokens: they may have been billed.'),
});

const simulatedUser = z.strictObject({
  model: z.string(),
  turns: z.int().describe('Replies of the user after the scripted turns.'),
  tokens: z.int().nullable(),
  cost_usd: z.number().nullable(),
});

const tool = z.string().nullable();

/** What became of the calls of a tool at its server; reports of earlier versions lack it. */
const calledServer = {
  sent: z.int().optional().describe('Calls that were sent to the server.'),
  no_answer: z
    .int()
    .optional()
    .describe('Calls that were sent and got no answer: each may have taken effect.'),
  crashes: z
    .int()
    .optional()
    .describe('Those of them during which the server or its connection ended.'),
};

const numbers = z.strictObject({
  scored: z.int(),
  succeeded: z.int(),
  not_scored: z.int(),
  success_rate: estimate.describe(
    'succeeded ÷ scored, with tasks as clusters; `low` and `high` of a rate are null if it is about fewer than five tasks',
  ),
  pass_at_k: z.array(
    z.strictObject({ k: z.int(), pass_at_k: z.number(), pass_hat_k: z.number(), tasks: z.int() }),
  ),
  steps: spent,
  tool_calls: spent,
  tokens: spent,
  cache_read_tokens: spent
    .optional()
    .describe('Input tokens that the provider read from its cache.'),
  cache_write_tokens: spent
    .optional()
    .describe('Input tokens that the provider wrote to its cache.'),
  cost_usd: spent,
  time_ms: spent,
  call_efficiency: estimate.describe('needed calls ÷ calls made, over runs that succeeded'),
  recovery: estimate.describe('succeeded ÷ scored, over runs with a tool error'),
  repeated_calls: z.int(),
  unused_calls: z.int(),
  unwanted_effects: z
    .int()
    .describe('Calls of destructive tools that were sent and that no check requires, of all runs.'),
  attack_success_rate: estimate.describe(
    'runs that followed an injected instruction ÷ runs that were exposed to it and are scored or ' +
      'followed it',
  ),
  not_exposed: z
    .int()
    .optional()
    .describe('Runs that never replied to the instruction; in no rate of attacks.'),
  attacks: z.array(
    z.strictObject({
      technique: z.string(),
      attack_success_rate: estimate,
      success_rate: estimate.describe('succeeded ÷ scored, over runs that were exposed'),
      not_exposed: z.int().optional(),
    }),
  ),
  first_wrong_steps: z
    .strictObject({ known: z.int(), wrong: z.int() })
    .describe('Scored runs whose expected tools are known, and runs with a wrong step.'),
  confusions: z
    .array(z.strictObject({ expected: tool, called: tool, runs: z.int() }))
    .describe('The first wrong step of each run, by its tools; null: no tool.'),
  tools: z.array(
    z.strictObject({
      tool: z.string(),
      needed: z.int().describe('Runs whose checks require it.'),
      called: z.int().describe('Runs that call it.'),
      called_where_needed: estimate.describe('runs that call it ÷ runs whose checks require it'),
      missed: z.int().describe('Runs whose first wrong step should call it.'),
      wrong: z.int().describe('Runs whose first wrong step calls it.'),
      calls: z.int(),
      errors: z
        .int()
        .describe('Calls whose result is an error or that got no answer, of all runs.'),
      ...calledServer,
      time_per_call_ms: z
        .number()
        .nullable()
        .optional()
        .describe('Over calls that were sent, with the wait for answers that never came.'),
      success_rate: estimate.describe('succeeded ÷ scored, over runs that call it'),
    }),
  ),
});

/** The JSON report of a task evaluation. */
export const tasksDocument = z.strictObject({
  ...documentHead('tasks'),
  evaluation_id: z.string().nullable(),
  number: z.int().nullable(),
  suite: z.string(),
  status: evaluationState,
  reason: z.string().nullable(),
  mode: z.enum(executionModes).describe('What could be executed.'),
  snapshot_id: z.string().nullable(),
  tools: z
    .array(z.strictObject({ tool_id: z.string(), hash: z.string() }))
    .describe('The tools that were offered, by content.'),
  sent_tools: reportedSentTools,
  started_at: z.string().nullable().describe('Null in a report with a stamp.'),
  completed_at: z.string().nullable(),
  settings: z.strictObject({ servers: z.array(z.string()).nullable(), repetitions: z.int() }),
  executed: z
    .array(
      z.strictObject({
        tool: z.string(),
        calls: z.int(),
        no_answer: calledServer.no_answer,
        destructive: z.boolean(),
      }),
    )
    .describe('Calls that were sent to servers for the model, over every attempt of a run.'),
  outcomes: taskOutcomeCounts,
  tasks: numbers,
  check: reportedJudgement.nullable().optional(),
  unscored: reportedUnscored.optional(),
  models: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      provider: z.string(),
      model: z.string(),
      base_url: z.string().nullable(),
      refused: refusedSettings.optional(),
      conditions: conditions
        .optional()
        .describe('What a comparison names besides model and tools. Texts are given as SHA-256.'),
      tasks: numbers,
    }),
  ),
  judge: z
    .strictObject({
      model: z.string(),
      counts: z.boolean().describe('Whether its verdicts count in this evaluation.'),
      kappa: z.number().nullable().describe("Cohen's kappa of people and judge."),
      n: z.int().describe('Labeled checks that the judge judged.'),
      both_yes: z.int(),
      only_person: z.int(),
      only_judge: z.int(),
      both_no: z.int(),
      asked: z
        .int()
        .optional()
        .describe('Judge checks of this evaluation that it was asked about.'),
      unusable: z.int().optional().describe('Those of them that have no usable verdict.'),
      cost_usd: z
        .number()
        .nullable()
        .optional()
        .describe('Of the judge in this evaluation; not part of the cost of the models.'),
    })
    .nullable()
    .optional()
    .describe('How people agree with the judge over all evaluations of the suite.'),
  simulated_user: z
    .strictObject({ ...simulatedUser.shape, runs: z.int() })
    .nullable()
    .optional()
    .describe('Simulated users of all runs; not part of tokens and cost_usd.'),
  spend: paid
    .optional()
    .describe(
      'Every request of every attempt, scored or not: models, judge and simulated users, and ' +
        'replies that could not be used.',
    ),
  shard: taskShardContent.nullable().optional(),
  causes: z.array(
    z.strictObject({ outcome: z.enum(taskOutcomes), cause: z.string(), runs: z.int() }),
  ),
  runs: z.array(
    z.strictObject({
      run_id: z.string(),
      task: z.string(),
      task_hash: z.string().describe('Changes with all of the task but its name and tags.'),
      name: z.string(),
      request: z.string().describe('The first turn of the user.'),
      model_id: z.string(),
      model: z.string().describe('The label of the model.'),
      repetition: z.int(),
      attempt: z.int(),
      outcome: z.enum(taskOutcomes).nullable(),
      reason: z.string().nullable(),
      failed_check: z.string().nullable(),
      failure: taskFailure.nullable(),
      checks: z.array(
        z.strictObject({
          id: z.string(),
          kind: z.string(),
          passed: z.boolean().nullable(),
          reason: z.string(),
          advisory: z
            .boolean()
            .optional()
            .describe('True for a judge that is not calibrated: it decides nothing.'),
          unusable: z
            .boolean()
            .optional()
            .describe('True for a judge that was asked and gave no usable verdict.'),
        }),
      ),
      steps: z.int().optional(),
      tool_calls: z.int().optional(),
      needed_calls: z.int().nullable().optional(),
      tokens: z.int().nullable().optional(),
      cache_read_tokens: z.int().nullable().optional(),
      cache_write_tokens: z.int().nullable().optional(),
      cost_usd: z.number().nullable().optional(),
      spend: paid.optional().describe('Everything that the run was paid for.'),
      judge_cost_usd: z
        .number()
        .nullable()
        .optional()
        .describe('For the judge; not part of cost_usd.'),
      simulated_user: simulatedUser
        .optional()
        .describe('The user of the run; not part of tokens and cost_usd.'),
      time_ms: z.number().optional(),
      tool_errors: z.int().optional(),
      repeated_calls: z.int().optional(),
      unused_calls: z.int().optional(),
      unwanted_effects: z.int().optional(),
      call_notes: z
        .array(z.string())
        .optional()
        .describe('What of its calls was read otherwise than the endpoint wrote it.'),
      attack: z
        .strictObject({
          technique: z.string(),
          followed: z.boolean(),
          exposed: z
            .boolean()
            .optional()
            .describe('The model replied to a result that has the instruction.'),
        })
        .nullable()
        .optional(),
      steps_known: z.boolean().optional().describe('The tools that it should call are known.'),
      first_wrong_step: z
        .strictObject({
          step: z.int(),
          expected: tool,
          called: tool,
          by: z
            .enum(['check', 'reference'])
            .describe('Expected by a check, or by a run of the task that succeeded.'),
        })
        .nullable()
        .optional(),
      tools: z
        .array(
          z.strictObject({
            tool: z.string(),
            needed: z.boolean(),
            calls: z.int(),
            errors: z.int(),
            ...calledServer,
            time_ms: z.number().optional().describe('Of all calls that were sent.'),
          }),
        )
        .optional(),
    }),
  ),
});
