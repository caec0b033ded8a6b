import { z } from 'zod';
import { estimate, rateEnds } from '../../../../src-shared/domain/metrics.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { executionModes, taskOutcomes } from '../../../../src-shared/domain/task.ts';
import { paid, simulatedUser } from '../../../../src-shared/domain/taskRunColumns.ts';
import { faultKinds } from '../../../../src-shared/domain/taskFaults.ts';
import { taskShardContent } from '../../../../src-shared/domain/taskShardContent.ts';
import { taskOutcomeCounts } from '../../../../src-shared/domain/taskEvaluation.ts';
import type {
  JudgeAgreement,
  SimulatedUsers,
  TaskCause,
  TaskReport,
  TaskSpend,
} from '../../../../src-shared/domain/taskReport.ts';
import { taskGroupings, type TaskGroup } from '../../../../src-shared/domain/taskGroup.ts';
import { evaluationState } from '../../../../src-shared/domain/evaluation.ts';
import type { PreviousChange } from '../../../../src-shared/domain/verdict.ts';
import { conditions, type Conditions } from '../../runs/conditions.ts';
import { reportedChange } from './previousDocument.ts';
import { reportedSentTools } from './sentToolsDocument.ts';
import {
  documentHead,
  presentedClient,
  refusedSettings,
  reportedTool,
  reportedToolSource,
} from './documentHead.ts';
import { reportedAgain, reportedJudgement, reportedUnscored } from './judgementDocument.ts';
import { published } from './published.ts';
import {
  calledServer,
  didDocument,
  taskRunDocument,
  tool,
  type TaskRun,
} from './taskRunDocument.ts';

type Summary = TaskReport['summary'];

const spent = published<Summary['steps']>()({
  total: z.number().nullable().describe('Over scored runs; null if a run has no value.'),
  per_run: [z.number().nullable(), 'perTask'],
  per_success: z
    .number()
    .nullable()
    .describe('The total of all scored runs ÷ runs that succeeded.'),
});

const spentDocument = published<TaskSpend>()({
  cost_usd: [paid.shape.cost_usd, 'usd'],
  unanswered_requests: [paid.shape.unanswered_requests, 'unanswered'],
});

const userFields = {
  ...simulatedUser.shape,
  cost_usd: [simulatedUser.shape.cost_usd, 'cost'],
} as const;

const numbers = published<Summary>()({
  scored: z.int(),
  succeeded: z.int(),
  not_scored: z.int(),
  success_rate: estimate.describe(
    'succeeded ÷ scored, with tasks as clusters; `low` and `high` of a rate are null if it is about fewer than five tasks',
  ),
  partial_credit: [
    estimate
      .optional()
      .describe('Σ weight × score ÷ Σ weight of the checks that decide, mean of scored runs.'),
    'partialCredit',
  ],
  pass_at_k: z.array(
    published<Summary['passAtK'][number]>()({
      k: z.int(),
      pass_at_k: [z.number(), 'atLeastOne'],
      pass_at_k_interval: [rateEnds.optional(), 'atLeastOneInterval'],
      pass_hat_k: [z.number(), 'all'],
      pass_hat_k_interval: [rateEnds.optional(), 'allInterval'],
      tasks: z.int(),
    }),
  ),
  steps: spent,
  tool_calls: [spent, 'calls'],
  tokens: spent,
  cache_read_tokens: [
    spent.optional().describe('Input tokens that the provider read from its cache.'),
    'cacheRead',
  ],
  cache_write_tokens: [
    spent.optional().describe('Input tokens that the provider wrote to its cache.'),
    'cacheWrite',
  ],
  cost_usd: [spent, 'cost'],
  time_ms: spent,
  call_efficiency: estimate.describe('needed calls ÷ calls made, over runs that succeeded'),
  recovery: estimate.describe(
    'succeeded ÷ scored, over runs with a tool error or a fault on purpose',
  ),
  repeated_calls: z.int(),
  unused_calls: z.int(),
  unwanted_effects: z
    .int()
    .describe('Calls of destructive tools that were sent and that no check requires, of all runs.'),
  attack_success_rate: [
    estimate.describe(
      'runs that followed an injected instruction ÷ runs that were exposed to it and are scored or ' +
        'followed it',
    ),
    'attackSuccess',
  ],
  not_exposed: z
    .int()
    .optional()
    .describe('Runs that never replied to the instruction; in no rate of attacks.'),
  attacks: z.array(
    published<Summary['attacks'][number]>()({
      technique: z.string(),
      attack_success_rate: [estimate, 'attackSuccess'],
      success_rate: [
        estimate.describe('succeeded ÷ scored, over runs that were exposed'),
        'taskSuccess',
      ],
      not_exposed: z.int().optional(),
    }),
  ),
  faults: [
    z
      .array(
        published<Summary['faults'][number]>()({
          fault: z.enum(faultKinds),
          recovery: estimate.describe('succeeded ÷ scored, over runs in which it hit a call'),
          not_reached: [
            z.int().describe('Scored runs in which it hit no call; in no rate.'),
            'notReached',
          ],
        }),
      )
      .optional()
      .describe('By kind of fault on purpose; absent: no task has one.'),
    ({ faults }) => (faults.length === 0 ? undefined : faults),
  ],
  first_wrong_steps: [
    z
      .strictObject({ known: z.int(), wrong: z.int() })
      .describe('Scored runs whose expected tools are known, and runs with a wrong step.'),
    'firstWrong',
  ],
  confusions: z
    .array(z.strictObject({ expected: tool, called: tool, runs: z.int() }))
    .describe('The first wrong step of each run, by its tools; null: no tool.'),
  tools: z.array(
    published<Summary['tools'][number]>()({
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
      success_rate: [estimate.describe('succeeded ÷ scored, over runs that call it'), 'success'],
    }),
  ),
});

/** The runs of one model by task, tag, server or difficulty. */
const groupDocument = published<TaskGroup>()({
  by: z.enum(taskGroupings),
  name: z.string(),
  tasks: [z.array(z.string()).describe('The ids of its tasks.'), 'keys'],
  scored: z.int(),
  not_scored: z.int(),
  succeeded: z.int(),
  success_rate: [
    estimate.describe(
      'succeeded ÷ scored: of one task with Wilson’s interval, of several with tasks as clusters',
    ),
    'success',
  ],
  checks: z
    .array(
      z.strictObject({
        check: z.string(),
        passed: z.int(),
        failed: z.int(),
        unjudged: z.int(),
      }),
    )
    .describe('By the id of the check for one task, by the kind of check for several.'),
  failures: z
    .array(
      published<TaskGroup['failures'][number]>()({
        cause: z.string(),
        runs: z.int(),
        run_id: z.string().describe('One of these runs.'),
      }),
    )
    .describe('Equal failures.'),
});

type Model = Pick<ModelSettings, 'id' | 'provider' | 'model' | 'baseUrl' | 'refused'> & {
  label: string;
  conditions: Conditions;
  summary: Summary;
  groups: TaskGroup[];
  previous: PreviousChange | null;
};

export const tasksDocument = published<TaskReport>()(
  {
    ...documentHead('tasks'),
    evaluation_id: [z.string().nullable(), ({ evaluation }) => evaluation.id],
    number: [z.int().nullable(), ({ evaluation }) => evaluation.number],
    suite: [z.string(), ({ evaluation }) => evaluation.suiteName],
    status: [evaluationState, ({ evaluation }) => evaluation.state],
    reason: [z.string().nullable(), ({ evaluation }) => evaluation.reason],
    mode: [
      z.enum(executionModes).describe('What could be executed.'),
      ({ evaluation }) => evaluation.settings.mode,
    ],
    snapshot_id: [z.string().nullable(), ({ evaluation }) => evaluation.snapshotId],
    tools_from: [reportedToolSource.optional(), ({ evaluation }) => evaluation.toolsFrom],
    tools: z.array(reportedTool).describe('The tools that were offered, by content.'),
    sent_tools: reportedSentTools,
    started_at: [
      z.string().nullable().describe('Null in a report with a stamp.'),
      ({ evaluation }) => evaluation.startedAt,
    ],
    completed_at: [z.string().nullable(), ({ evaluation }) => evaluation.completedAt],
    settings: [
      published<TaskReport['evaluation']['settings']>()({
        servers: z.array(z.string()).nullable(),
        repetitions: z.int(),
        client: presentedClient,
      }),
      ({ evaluation }) => evaluation.settings,
    ],
    executed: z
      .array(
        published<TaskReport['executed'][number]>()({
          tool: z.string(),
          calls: z.int(),
          no_answer: calledServer.no_answer,
          destructive: z.boolean(),
        }),
      )
      .describe('Calls that were sent to servers for the model, over every attempt of a run.'),
    outcomes: [taskOutcomeCounts, ({ evaluation }) => evaluation.outcomes],
    tasks: [numbers, 'summary'],
    check: [reportedJudgement.nullable().optional(), null],
    unscored: [reportedUnscored.optional(), null],
    asked_again: reportedAgain,
    models: [
      z.array(
        published<Model>()({
          id: z.string(),
          label: z.string(),
          provider: z.string(),
          model: z.string(),
          base_url: z.string().nullable(),
          refused: refusedSettings.optional(),
          conditions: conditions
            .optional()
            .describe(
              'What a comparison names besides model and tools. Texts are given as SHA-256.',
            ),
          tasks: [numbers, 'summary'],
          groups: z.array(groupDocument).optional(),
          previous: reportedChange.optional(),
        }),
      ),
      modelsOf,
    ],
    judge: published<JudgeAgreement>()({
      model: [z.string(), 'judge'],
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
      cost_usd: [
        z
          .number()
          .nullable()
          .optional()
          .describe('Of the judge in this evaluation; not part of the cost of the models.'),
        'cost',
      ],
      kappa_interval: [rateEnds.optional(), 'interval'],
      prompt: z
        .strictObject({ version: z.string(), text: z.string().nullable() })
        .optional()
        .describe('The words that it was asked with; the text is null if they are others today.'),
      judges: z
        .array(
          published<JudgeAgreement['judges'][number]>()({
            model: [z.string(), 'judge'],
            yes: z.int(),
            no: z.int(),
            unusable: z.int(),
          }),
        )
        .optional()
        .describe('Each judge by itself, by its verdicts.'),
      between: z
        .strictObject({
          ties: z.int(),
          n: z.int(),
          observed: z.number().nullable(),
          kappa: z.number().nullable(),
          interval: rateEnds,
        })
        .nullable()
        .optional()
        .describe(
          'How several judges agree: ties, and over the n checks that all judged the share of equal ' +
            "pairs, Cohen's kappa of two or Fleiss' kappa of more, and its jackknife interval by task.",
        ),
    })
      .nullable()
      .optional()
      .describe('How people agree with the judge over all evaluations of the suite.'),
    simulated_user: [
      published<SimulatedUsers>()({ ...userFields, runs: z.int() }, [
        ...['model', 'runs', 'turns', 'tokens', 'cost_usd'],
      ])
        .nullable()
        .optional()
        .describe('Simulated users of all runs; not part of tokens and cost_usd.'),
      'user',
    ],
    spend: spentDocument
      .optional()
      .describe(
        'Every request of every attempt, scored or not: models, judge and simulated users, and ' +
          'replies that could not be used.',
      ),
    shard: [taskShardContent.nullable().optional(), null],
    causes: z.array(
      published<TaskCause>()({
        outcome: z.enum(taskOutcomes),
        cause: z.string().describe('In words.'),
        did: didDocument,
        runs: z.int(),
      }),
    ),
    runs: [z.array(taskRunDocument), runsOf],
  },
  ['spend', 'simulated_user'],
);

function modelsOf(report: TaskReport): Model[] {
  const { evaluation, models, summary, conditions: known, previous } = report;
  const own = new Map(models.map((model) => [model.id, model]));
  return evaluation.models.map((model) => ({
    ...model,
    label: own.get(model.id)?.label ?? model.model,
    conditions: known[model.id] ?? {},
    summary: own.get(model.id)?.summary ?? summary,
    groups: own.get(model.id)?.groups ?? [],
    previous: previous[model.id] ?? null,
  }));
}

function runsOf(report: TaskReport): TaskRun[] {
  const labels = new Map(modelsOf(report).map(({ id, label }) => [id, label]));
  const tasks = new Map(report.tasks.map((task) => [task.key, task]));
  return report.runs.map((run) => ({
    ...run,
    ...(run.toolUse && {
      stepsKnown: run.toolUse.stepsKnown,
      firstWrong: run.toolUse.firstWrong,
      used: run.toolUse.tools,
    }),
    task: tasks.get(run.taskKey),
    model: labels.get(run.modelSettingsId) ?? run.modelSettingsId,
  }));
}
