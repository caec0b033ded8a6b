import { z } from 'zod';
import { checkDifference } from '../../../../src-shared/domain/callDifference.ts';
import { jsonValue } from '../../../../src-shared/domain/json.ts';
import type { JudgeVote } from '../../../../src-shared/domain/judgeVote.ts';
import { taskOutcomes, type CheckResult } from '../../../../src-shared/domain/task.ts';
import { taskFailure, type TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { taskRunColumns, taskRunShape } from '../../../../src-shared/domain/taskRunColumns.ts';
import {
  runCauseKinds,
  type FirstWrongStep,
  type RunCause,
  type RunTool,
  type ToolUse,
} from '../../../../src-shared/domain/taskTools.ts';
import { partialCredit } from '../../../../src-shared/metrics/partialCredit.ts';
import { columnFields, published } from './published.ts';

export const tool = z.string().nullable();

/** What the model did; reports of earlier versions lack it. */
export const didDocument = published<RunCause>()({
  kind: z.enum(runCauseKinds),
  tool: tool.describe('The tool at fault; null: none is known.'),
  called: tool.describe('What was called in its place or last; null: nothing.'),
  limit: z.string().optional(),
})
  .nullable()
  .optional();

/** What became of the calls of a tool at its server; reports of earlier versions lack it. */
export const calledServer = {
  sent: z.int().optional().describe('Calls that were sent to the server.'),
  no_answer: [
    z
      .int()
      .optional()
      .describe('Calls that were sent and got no answer: each may have taken effect.'),
    'unanswered',
  ],
  crashes: z
    .int()
    .optional()
    .describe('Those of them during which the server or its connection ended.'),
} as const;

export type TaskRun = TaskRunRow &
  Partial<Pick<ToolUse, 'stepsKnown' | 'firstWrong'>> & {
    used?: ToolUse['tools'] | undefined;
    task: TaskReport['tasks'][number] | undefined;
    model: string;
  };

export const taskRunDocument = published<TaskRun>()({
  run_id: z.string(),
  task: [z.string(), 'taskKey'],
  task_hash: [
    z.string().describe('Changes with all of the task but its name and tags.'),
    ({ task }) => task?.hash ?? '',
  ],
  name: [z.string(), 'taskName'],
  request: [z.string().describe('The first turn of the user.'), ({ task }) => task?.request ?? ''],
  model_id: [z.string(), 'modelSettingsId'],
  model: z.string().describe('The label of the model.'),
  repetition: z.int(),
  attempt: z.int(),
  outcome: z.enum(taskOutcomes).nullable(),
  reason: z.string().nullable(),
  failed_check: z.string().nullable(),
  failure: taskFailure.nullable(),
  cause: didDocument.describe('What the model did that made the run fail.'),
  checks: z.array(
    published<CheckResult>()({
      id: z.string(),
      kind: z.string(),
      passed: z.boolean().nullable(),
      reason: z.string(),
      advisory: [
        z
          .boolean()
          .optional()
          .describe('True for a judge that is not calibrated: it decides nothing.'),
        ({ advisory }) => (advisory === true ? true : undefined),
      ],
      actual: jsonValue
        .optional()
        .describe('Of a failed check: the value, the last message, or the calls that it found.'),
      votes: z
        .array(
          published<JudgeVote>()({
            judge: z.string(),
            passed: z.boolean().nullable(),
            reason: z.string(),
          }),
        )
        .optional()
        .describe('What each of several judges said.'),
      score: z
        .number()
        .optional()
        .describe('Of a program that gave one, 0 to 1; absent: 1 if passed, else 0.'),
      weight: z.number().optional().describe('In the partial credit of the run; absent: 1.'),
      unusable: [
        z
          .boolean()
          .optional()
          .describe('True for a judge that was asked and gave no usable verdict.'),
        ({ unusable }) => (unusable === true ? true : undefined),
      ],
    }),
  ),
  partial_credit: [
    z
      .number()
      .nullable()
      .optional()
      .describe('Σ weight × score ÷ Σ weight of the checks that decide; null: not scored.'),
    partialCredit,
  ],
  differences: z
    .array(checkDifference)
    .optional()
    .describe('Of a failed run: what each failed check expected and found.'),
  ...columnFields(taskRunColumns, taskRunShape, ({ facts }: TaskRun) => facts),
  steps_known: z.boolean().optional().describe('The tools that it should call are known.'),
  first_wrong_step: [
    published<FirstWrongStep>()({
      // Steps are counted from 1, as people see them.
      step: [z.int(), ({ step }) => step + 1],
      expected: tool,
      called: tool,
      by: z
        .enum(['check', 'reference'])
        .describe('Expected by a check, or by a run of the task that succeeded.'),
    })
      .nullable()
      .optional(),
    'firstWrong',
  ],
  tools: [
    z
      .array(
        published<RunTool>()({
          tool: z.string(),
          needed: z.boolean(),
          calls: z.int(),
          errors: z.int(),
          ...calledServer,
          time_ms: z.number().optional().describe('Of all calls that were sent.'),
        }),
      )
      .optional(),
    'used',
  ],
});
