import { z } from 'zod';
import { checkKinds, type CheckKind } from './checkKinds.ts';
import { jsonObject, jsonValue } from './json.ts';
import { forbiddenOwn } from './ownTools.ts';
import { isJsonPointer } from './jsonPointer.ts';
import {
  answerReading,
  canary,
  checkWeight,
  defaultTaskLimits,
  defaultUserTurns,
  expectedUse,
  forbidden,
  injectionTechnique,
  readingProblem,
  requiredUse,
  simulatedUser,
  taskLimits,
} from './task.ts';
import { taskFault } from './taskFaults.ts';
import { taskFixtures } from './taskFixtures.ts';
import { defaultProgramSeconds, exitCodeDecides, taskProgram } from './taskProgram.ts';
import { toolReference } from './testCase.ts';
import { totalCalls } from './totalCalls.ts';

const names = z.array(z.string().min(1));
const id = z
  .string()
  .min(1)
  .describe('Unique in the task. Left out: "check-" and its position.')
  .optional();
const value = (what: string) =>
  jsonValue.describe(`${what} Objects whose names all begin with $ are matchers.`).optional();

const answerShape = answerReading.shape;

const weight = checkWeight.describe(
  'How much the check counts in the partial credit of a run. Left out: 1.',
);

const pointer = answerShape.at.describe(
  'JSON pointer into the result. Left out: the whole result.',
);
const reading = toolReference.extend({
  arguments: jsonObject.describe('Arguments of the call.').optional(),
  at: pointer,
  ignore: names
    .describe('Names of members that are not compared, at any depth, such as created_at.')
    .optional(),
});

/** How a file writes a check of each kind: as an object with the kind as a name. */
export const fileChecks = {
  state: z
    .strictObject({
      id,
      weight,
      state: toolReference
        .extend({
          arguments: jsonObject.describe('Arguments of the call.').optional(),
          at: z
            .string()
            .refine(isJsonPointer, 'A JSON pointer is empty or begins with "/".')
            .describe('JSON pointer into the result. Left out: the whole result.')
            .optional(),
          contains: value('An element, part of an object, or part of a text that must be there.'),
          excludes: value('The same that must not be there.'),
          matches: value('The whole value.'),
        })
        .refine(
          (check) =>
            ['contains', 'excludes', 'matches'].filter((test) => Object.hasOwn(check, test))
              .length === 1,
          'A state check has exactly one of contains, excludes and matches.',
        ),
    })
    .meta({ title: 'State', description: 'Calls a tool after the last turn.' }),
  end_state: z.strictObject({ id, weight, end_state: reading }).meta({
    title: 'End state',
    description: 'A tool returns what it returns after the solution, run on a copy of its own.',
  }),
  unchanged: z.strictObject({ id, weight, unchanged: reading }).meta({
    title: 'Unchanged',
    description: 'A tool returns what it returned before the first turn.',
  }),
  answer: z
    .strictObject({
      id,
      weight,
      answer: jsonValue.describe('What the model writes: a value or a matcher.'),
      message: answerShape.message.describe('any: one of all messages. Left out: the last one.'),
      read: answerShape.read.describe(
        'As the JSON or a number in the message, or its language. Left out: as a text.',
      ),
      at: answerShape.at.describe('Of JSON: a JSON pointer to the part that is compared.'),
      schema: answerShape.schema.describe('Of JSON: the JSON Schema that it must meet.'),
      unit: answerShape.unit.describe('Of a number: what is before or after it.'),
      tolerance: answerShape.tolerance.describe(
        'Of a number: how far it may be off, as 0.5 or "1%".',
      ),
    })
    .superRefine(({ id: _, answer, ...reading }, context) => {
      const problem = readingProblem(reading, answer);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .meta({ title: 'Answer', description: 'Compares what the model writes.' }),
  calls: z
    .strictObject({
      id,
      weight,
      calls: z.strictObject({
        must: z
          .array(requiredUse)
          .describe(
            'What must be called: a tool, or its calls with arguments (with matchers; others are ' +
              'not compared), at_least, and at_most. A tool that is named twice is called twice. ' +
              'Entries in a list of their own are a group: with ordered, they come in any order ' +
              'among themselves.',
          )
          .optional(),
        ordered: z.boolean().describe('Whether they come in this order.').optional(),
        any: z
          .array(expectedUse)
          .min(1)
          .describe('At least one of these must be called as it says.')
          .optional(),
        never: z
          .array(forbidden)
          .describe('What must not be called: a tool, or its calls with these arguments.')
          .optional(),
        total: totalCalls
          .describe('How many calls of any tool: at_least, at_most, or both.')
          .optional(),
        repeats: z
          .literal(false)
          .describe('false: no call may equal an earlier one in tool and arguments.')
          .optional(),
        never_own: forbiddenOwn
          .describe("An agent's own tools that it must not call, by name or kind: Bash, execute.")
          .optional(),
      }),
    })
    .meta({ title: 'Calls', description: 'Compares the calls of the model.' }),
  program: z
    .strictObject({
      id,
      weight,
      program: taskProgram.extend({
        command: taskProgram.shape.command.describe(
          'The program and its arguments. It runs in the folder of the suite file, if you allow programs.',
        ),
        timeout: taskProgram.shape.timeout.describe(
          `Seconds that it may take. Left out: ${defaultProgramSeconds}.`,
        ),
        exit_code: exitCodeDecides.describe(
          'true: the run passes if the program exits with code 0. Left out: its last line decides.',
        ),
      }),
    })
    .meta({ title: 'Program', description: 'Asks a program, which is given the run as JSON.' }),
  judge: z
    .strictObject({
      id,
      weight,
      judge: z
        .string()
        .min(1)
        .max(10_000)
        .describe('What the run must meet, as a question or a rule in plain words.'),
    })
    .meta({
      title: 'Judge',
      description: 'Asks a second model. Advisory until people agreed with it often enough.',
    }),
} satisfies { [Kind in CheckKind]: z.ZodType<Record<Kind, unknown>> };
type FileChecks = { [Kind in CheckKind]: z.infer<(typeof fileChecks)[Kind]> };
export type TaskFileCheck = FileChecks[CheckKind];

/** What a place does with a check of a file: a new kind doesn't compile until every place says. */
export const byFileCheckKind =
  <Result, More extends unknown[] = []>(table: {
    [Kind in CheckKind]: (check: FileChecks[Kind], ...more: More) => Result;
  }) =>
  (check: TaskFileCheck, ...more: More): Result => {
    const kind = checkKinds.find((each) => each in check);
    if (kind === undefined) throw new Error('A check has no kind.');
    // The table has the entry of the check's own kind, which the compiler can't follow.
    return (table[kind] as (check: TaskFileCheck, ...more: More) => Result)(check, ...more);
  };

const limitShape = taskLimits.shape;
const withDefault = (schema: z.ZodNumber, what: string, standard: number) =>
  schema.describe(`${what} Left out: ${standard}.`).optional();

export const fileStubResults = z
  .array(
    toolReference.extend({
      arguments: jsonObject
        .describe('Expected arguments, with matchers. Left out: any arguments.')
        .optional(),
      result: jsonValue.describe('The tool result that the model receives.'),
      is_error: z.boolean().optional(),
    }),
  )
  .describe('Answers for calls if no tool is executed.');

/** A task in a suite file: an entry with `turns` in place of `query`. */
export const suiteFileTask = z
  .strictObject({
    id: z.string().min(1).describe('Unique in the suite.'),
    name: z.string().min(1).describe('What the task is called in lists and reports.'),
    turns: names.min(1).describe('What the user says, one turn after the other.'),
    tags: names.describe('Words to filter by.').optional(),
    servers: names
      .describe("Servers whose tools the model sees. Left out or empty: the suite's servers.")
      .optional(),
    setup: z
      .array(toolReference.extend({ arguments: jsonObject.optional() }))
      .describe('Calls that prepare the servers before the first turn.')
      .optional(),
    solution: z
      .array(toolReference.extend({ arguments: jsonObject.optional() }))
      .min(1)
      .describe('Calls that do what the user asks for. end_state checks compare with their effect.')
      .optional(),
    ...taskFixtures,
    checks: z
      .array(z.union(Object.values(fileChecks)))
      .min(1)
      .describe('What must hold after the last turn.'),
    limits: z
      .strictObject({
        steps: withDefault(limitShape.steps, 'Requests to the model.', defaultTaskLimits.steps),
        tool_calls: withDefault(
          limitShape.toolCalls,
          'Calls of tools.',
          defaultTaskLimits.toolCalls,
        ),
        seconds: withDefault(limitShape.seconds, 'Time of all turns.', defaultTaskLimits.seconds),
        tokens: withDefault(
          limitShape.tokens,
          'Input and output of all steps.',
          defaultTaskLimits.tokens,
        ),
      })
      .describe('At a limit, the run ends and does not succeed.')
      .optional(),
    stub_results: fileStubResults.optional(),
    faults: z
      .array(taskFault)
      .min(1)
      .describe(
        'What tools do wrong on purpose: error, rate_limit, delay (by seconds), empty or wrong_type, ' +
          'at their first call or the first calls of a run.',
      )
      .optional(),
    injection: toolReference
      .extend({
        technique: injectionTechnique.describe('How the instruction is disguised.'),
        instruction: z
          .string()
          .min(1)
          .describe("What the text that is added to the tool's results asks for."),
        canary: canary.describe('What no call may contain if the model resists.'),
      })
      .optional(),
    user: z
      .strictObject({
        goal: simulatedUser.shape.goal.describe('What the person wants. The model never sees it.'),
        persona: simulatedUser.shape.persona.describe('How the person talks.').optional(),
        knows: simulatedUser.shape.knows
          .describe('Facts that the person tells when asked, one line each.')
          .optional(),
        script: simulatedUser.shape.script.describe(
          'What the person says, in this order, if no model plays them: for tests.',
        ),
        max_turns: simulatedUser.shape.maxTurns
          .describe(
            `The most replies of a person whom a model plays. Left out: ${defaultUserTurns}.`,
          )
          .optional(),
      })
      .describe(
        'A person, played by a second model, who goes on after the turns. Without such a model, the script is played, or only the turns.',
      )
      .optional(),
  })
  .meta({ title: 'Task', description: 'What the user says, and what must hold afterwards.' });
export type SuiteFileTask = z.infer<typeof suiteFileTask>;
