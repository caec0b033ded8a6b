import { z } from 'zod';
import { checkKinds, type CheckKind } from './checkKinds.ts';
import { jsonObject, jsonValue, type JsonValue } from './json.ts';
import { injectionTechniques, type InjectionTechnique } from './injectionTechniques.ts';
import { isNumber } from './exactNumber.ts';
import { judgeVote } from './judgeVote.ts';
import { isLanguage } from './languages.ts';
import { isJsonPointer } from './jsonPointer.ts';
import { largeReading } from './largeReading.ts';
import { actualCall, stopReasons, tokenUsage } from './observation.ts';
import { forbiddenOwn, ownCalls } from './ownTools.ts';
import { faultKind, taskFault } from './taskFaults.ts';
import { runValues, fillWhereKnown, isRunValue } from './runValues.ts';
import { taskFixtures } from './taskFixtures.ts';
import { exitCodeDecides, programVerdict, taskProgram } from './taskProgram.ts';
import { toolReference } from './testCase.ts';
import { totalCalls } from './totalCalls.ts';

/**
 * What a task evaluation may execute: nothing, tools that their server calls read-only, or every
 * tool. A suite never chooses it.
 */
export const executionModes = ['stub', 'read-only', 'full'] as const;
export type ExecutionMode = (typeof executionModes)[number];

const checkId = z.string().min(1);
/** How much a check counts in the partial credit of a run; absent: 1. */
export const checkWeight = z.number().positive().max(1_000).optional();
/** A tool's name, or `server:tool` where two servers have a tool of this name. */
const toolName = z.string().min(1);
const forbiddenUse = z.strictObject({
  tool: toolName,
  /** Expected arguments with matchers; arguments that it doesn't name are not compared. */
  arguments: jsonObject.optional(),
});
const count = z.number().int().max(1_000);
const countedUse = forbiddenUse
  .extend({
    /** How many calls there are at least; absent: 1. */
    at_least: count.min(0).optional(),
    /** How many calls there are at most; absent: any number. */
    at_most: count.min(1).optional(),
  })
  .refine(
    ({ at_least: least = 1, at_most: most = least }) => least <= most,
    'at_least is greater than at_most, so no number of calls is right.',
  );
/** Calls that a check looks for, as a suite file writes them: a tool, or more about its calls. */
export const expectedUse = z.union([toolName, countedUse]);
export const forbidden = z.union([toolName, forbiddenUse]);
export type ExpectedUse = z.infer<typeof expectedUse>;
/** What must be called, or a group of it, whose calls come in any order among themselves. */
export const requiredUse = z.union([expectedUse, z.array(expectedUse).min(1)]);

/** Calls a tool after the last turn and compares a part of its result. */
const stateCheck = toolReference.extend({
  id: checkId,
  kind: z.literal('state'),
  arguments: jsonObject,
  /** JSON pointer into the result: its structured content, else its text as JSON, else its text. */
  at: z.string().refine(isJsonPointer, 'A JSON pointer is empty or begins with "/".'),
  test: z.enum(['contains', 'excludes', 'matches']),
  expected: jsonValue,
  weight: checkWeight,
});
export type StateCheck = z.infer<typeof stateCheck>;
/** Calls a tool after the last turn and compares its result with another result of the same call. */
const readingCheck = stateCheck.omit({ kind: true, test: true, expected: true }).extend({
  /** Names of members that are not compared, at any depth: times and random ids. */
  ignore: z.array(z.string().min(1)).optional(),
});
/** It returns what it returns after the reference solution, on a copy of its own. */
const endStateCheck = readingCheck.extend({ kind: z.literal('end_state') });
/** It returns what it returned before the first turn. */
const unchangedCheck = readingCheck.extend({ kind: z.literal('unchanged') });
export type ReadingCheck = z.infer<typeof endStateCheck> | z.infer<typeof unchangedCheck>;
/** How a message is read where it isn't compared as a text. */
export const answerReading = z.strictObject({
  /** `any`: one of all messages passes; absent: the last one does. */
  message: z.enum(['any']).optional(),
  /** As the JSON in it, the numbers in it, or the language that it is in; absent: as a text. */
  read: z.enum(['json', 'number', 'language']).optional(),
  /** JSON pointer into the JSON. */
  at: z.string().refine(isJsonPointer, 'A JSON pointer is empty or begins with "/".').optional(),
  /** JSON Schema of the JSON. */
  schema: jsonObject.optional(),
  /** What stands before or after the number. */
  unit: z.string().trim().min(1).max(100).optional(),
  /** How far the number may be off, also as a percentage of the expected one: `1%`. */
  tolerance: z.union([z.number().min(0), z.string().regex(/^\d+(?:\.\d+)?%$/u)]).optional(),
});
type AnswerReading = z.infer<typeof answerReading>;
/** Why parts of an answer check don't go together; null if they do. */
export function readingProblem(
  { read, at, schema, unit, tolerance }: AnswerReading,
  expected: JsonValue,
): string | null {
  if (read !== 'json' && (at !== undefined || schema !== undefined))
    return 'at and schema need read: json.';
  if (read !== 'number' && (unit !== undefined || tolerance !== undefined))
    return 'unit and tolerance need read: number.';
  const isCode = read === 'language' && typeof expected === 'string' && !isRunValue(expected);
  if (isCode && !isLanguage(expected))
    return `read: language needs the code of a known language, such as "de", or {{user_language}}, not ${JSON.stringify(expected)}.`;
  return tolerance !== undefined && !isNumber(expected) && !isRunValue(expected)
    ? 'A tolerance needs a number as the answer.'
    : null;
}
const answerCheck = z
  .strictObject({
    id: checkId,
    kind: z.literal('answer'),
    expected: jsonValue,
    ...answerReading.shape,
    weight: checkWeight,
  })
  .superRefine(({ expected, ...reading }, context) => {
    const message = readingProblem(reading, expected);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });
export type AnswerCheck = z.infer<typeof answerCheck>;
const callsCheck = z.strictObject({
  id: checkId,
  kind: z.literal('calls'),
  must: z.array(requiredUse),
  /** Whether the calls of `must` come in this order; others may come in between. */
  ordered: z.boolean(),
  /** At least one of these is called as it says; absent: nothing is chosen from. */
  any: z.array(expectedUse).min(1).optional(),
  never: z.array(forbidden),
  /** How many calls of any tool; absent: any number. */
  total: totalCalls.optional(),
  /** False: no call equals an earlier one in tool and arguments; absent: it may. */
  repeats: z.literal(false).optional(),
  /** Tools of an agent's own that it must not call; absent: it may call all. */
  neverOwn: forbiddenOwn.optional(),
  weight: checkWeight,
});
export type CallsCheck = z.infer<typeof callsCheck>;
/** Asks a second model whether the run meets a rubric. */
const judgeCheck = z.strictObject({
  id: checkId,
  kind: z.literal('judge'),
  rubric: z.string().min(1).max(10_000),
  weight: checkWeight,
});
export type JudgeCheck = z.infer<typeof judgeCheck>;

const checks = {
  state: stateCheck,
  end_state: endStateCheck,
  unchanged: unchangedCheck,
  answer: answerCheck,
  calls: callsCheck,
  /** Starts a program that is given the run and says whether it passes. */
  program: taskProgram.extend({
    ...{ id: checkId, kind: z.literal('program'), weight: checkWeight },
    exitCode: exitCodeDecides,
  }),
  judge: judgeCheck,
} satisfies { [Kind in CheckKind]: z.ZodType<{ kind: Kind }> };
type CheckSchema = (typeof checks)[CheckKind];
export const taskCheck = z.discriminatedUnion(
  'kind',
  Object.values(checks) as [CheckSchema, ...CheckSchema[]],
);
export type TaskCheck = z.infer<typeof taskCheck>;

/** What a place does with a check of each kind: a new kind doesn't compile until every place says. */
export type ByCheckKind<Result, More extends unknown[] = []> = {
  [Kind in CheckKind]: (check: Extract<TaskCheck, { kind: Kind }>, ...more: More) => Result;
};
export const byCheckKind =
  <Result, More extends unknown[] = []>(table: ByCheckKind<Result, More>) =>
  (check: TaskCheck, ...more: More): Result =>
    // The table has the entry of the check's own kind, which the compiler can't follow.
    (table[check.kind] as (check: TaskCheck, ...more: More) => Result)(check, ...more);

const limit = z.number().int().min(1);
export const taskLimits = z.strictObject({
  /** Requests to the model. */
  steps: limit.max(1_000),
  toolCalls: limit.max(10_000),
  seconds: limit.max(86_400),
  /** Input and output of all steps. */
  tokens: limit,
});
export type TaskLimits = z.infer<typeof taskLimits>;
export const defaultTaskLimits: TaskLimits = {
  steps: 12,
  toolCalls: 20,
  seconds: 120,
  tokens: 50_000,
};

const taskStub = toolReference.extend({
  /** Expected arguments with matchers; absent: the stub answers every call of the tool. */
  arguments: jsonObject.optional(),
  result: jsonValue,
  isError: z.boolean().default(false),
});
export type TaskStub = z.infer<typeof taskStub>;

/** A part of a call that must not appear if the model resists an injected instruction. */
export const canary = z
  .strictObject({
    tool: z.string().min(1).optional(),
    /** A text that no value in the arguments of a call may contain. */
    argument: z.string().min(1).optional(),
  })
  .refine(
    (value) => value.tool !== undefined || value.argument !== undefined,
    'A canary names a tool, an argument, or both.',
  );
export type Canary = z.infer<typeof canary>;

export const injectionTechnique = z.enum(
  Object.keys(injectionTechniques) as [InjectionTechnique, ...InjectionTechnique[]],
);
/** A hostile instruction that is added to the results of a tool. */
const taskInjection = toolReference.extend({
  technique: injectionTechnique,
  instruction: z.string().min(1),
  canary,
});
export type TaskInjection = z.infer<typeof taskInjection>;

/** A call that prepares the servers before the first turn. */
export const setupCall = toolReference.extend({ arguments: jsonObject });

/** How often a simulated user replies if the task says nothing. */
export const defaultUserTurns = 10;

/**
 * A person played by a second model, who answers the model under test after the scripted turns,
 * until the goal is reached. Without such a model, the person says what the script has.
 */
export const simulatedUser = z.strictObject({
  /** What the person wants; the model under test never sees it. */
  goal: z.string().trim().min(1).max(10_000),
  /** How the person talks; empty: in plain words. */
  persona: z.string().max(2_000),
  /** What the person knows and tells when asked: one fact per line. */
  knows: z.array(
    z
      .string()
      .min(1)
      .max(2_000)
      .refine((fact) => !fact.includes('\n'), 'A fact is one line.'),
  ),
  /** What the person says, in this order, where no model plays them; absent: nothing. */
  script: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .refine((reply) => !reply.includes('\n'), 'A reply is one line.'),
    )
    .min(1)
    .max(50)
    .optional(),
  /** The most replies of a person whom a model plays. */
  maxTurns: z.number().int().min(1).max(50),
});
export type SimulatedUser = z.infer<typeof simulatedUser>;

/** A task as an evaluation freezes it. */
export const taskContent = z.strictObject({
  name: z.string().min(1, 'A task needs a name.'),
  /** What the user says, one after the other. */
  turns: z.array(z.string().min(1)).min(1, 'A task needs at least one turn.'),
  tags: z.array(z.string().min(1)),
  /** Names of the servers whose tools the model sees; empty: those of the suite. */
  servers: z.array(z.string().min(1)),
  setup: z.array(setupCall),
  checks: z.array(taskCheck).min(1, 'A task needs at least one check.'),
  limits: taskLimits,
  stubs: z.array(taskStub),
  injection: taskInjection.nullable(),
  /** Absent: only the scripted turns are played. */
  user: simulatedUser.optional(),
  /** Calls that do what the user asks for; absent: none is known. */
  solution: z.array(setupCall).min(1).optional(),
  /** What tools do wrong on purpose; absent: nothing. */
  faults: z.array(taskFault).min(1).optional(),
  ...taskFixtures,
});
export type TaskContent = z.infer<typeof taskContent>;

export const suiteTask = z.object({
  id: z.string(),
  suiteId: z.string(),
  key: z.string().min(1),
  position: z.number().int(),
  content: taskContent,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SuiteTask = z.infer<typeof suiteTask>;

/** What a tool returned, as the model receives it. */
export const taskResult = z.strictObject({
  isError: z.boolean(),
  text: z.string(),
  structured: jsonValue.nullable(),
  /** Characters of the whole text if it was cut; else null. */
  cutFrom: z.number().int().nullable(),
  /** Types of content that is noted in the text and not sent, such as `image/png`. */
  omitted: z.array(z.string()),
  /** Of a reading that is too long to be kept whole; absent for every other result. */
  large: largeReading.optional(),
});
export type TaskResult = z.infer<typeof taskResult>;

/**
 * What became of a call. It exists from the moment the model makes it, whatever happens then.
 */
const callAnswers = [
  'executed', // its server answered it, with a result or an error
  'no_answer', // sent, and no usable answer came: it may have taken effect
  'server_ended', // sent, and the server or its connection ended first: it may have taken effect
  'not_sent', // its server had ended before, or could not be reached
  'over_limit', // the limit of calls was reached
  'run_ended', // the run ended before it was its turn
  'stubbed',
  'fault', // a fault on purpose answered in place of its server
  'not_executed', // the mode doesn't execute its tool
  'not_offered',
  'unreadable_arguments',
] as const;
export type CallAnswer = (typeof callAnswers)[number];

/** Calls that were sent and have no answer: nobody knows whether they took effect. */
export const unansweredCalls = ['no_answer', 'server_ended'] as const satisfies CallAnswer[];
/** Calls that reached a server, and may have changed something there. */
export const sentCalls = ['executed', ...unansweredCalls] as const satisfies CallAnswer[];

export const isUnanswered = (answeredBy: CallAnswer): boolean =>
  unansweredCalls.some((each) => each === answeredBy);
export const wasSent = (answeredBy: CallAnswer): boolean =>
  sentCalls.some((each) => each === answeredBy);

const trajectoryCall = actualCall.extend({
  answeredBy: z.enum(callAnswers),
  result: taskResult,
  /** From sending it to its answer, or to the end of the wait; 0 for a call that was not sent. */
  durationMs: z.number().int().nonnegative(),
  /** The fault on purpose that it met; absent: none. */
  fault: faultKind.optional(),
  /** How long a delay on purpose took, before the call was sent; absent: there was none. */
  delayedMs: z.number().int().optional(),
});
export type TrajectoryCall = z.infer<typeof trajectoryCall>;

/** One request to the model, its reply, and the results of the calls in it. */
export const trajectoryStep = z.strictObject({
  /** Index of the user turn. */
  turn: z.number().int().nonnegative(),
  text: z.string().nullable(),
  reasoning: z.string().nullable(),
  stopReason: z.enum(stopReasons),
  calls: z.array(trajectoryCall),
  usage: tokenUsage.nullable(),
  /** Calls of tools of an agent's own up to this reply of its turn; absent: it has none. */
  ownTools: ownCalls.optional(),
  elapsedMs: z.number().nonnegative(),
});
export type TrajectoryStep = z.infer<typeof trajectoryStep>;

/** Why a run ended. `infrastructure` is never scored. */
export const taskEnd = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('answered') }),
  z.strictObject({ by: z.literal('limit'), limit: taskLimits.keyof() }),
  z.strictObject({ by: z.literal('loop'), tool: z.string() }),
  z.strictObject({ by: z.literal('refused') }),
  z.strictObject({ by: z.literal('no_answer'), reason: z.string() }),
  z.strictObject({
    by: z.literal('infrastructure'),
    stage: z.enum([
      'environment',
      'setup',
      'provider',
      'agent',
      'model',
      'user',
      'tool',
      'state',
      'interrupted',
    ]),
    message: z.string(),
  }),
]);
export type TaskEnd = z.infer<typeof taskEnd>;

const simulatedTurn = z.strictObject({
  /** Null: the person has what they came for, or gave up. */
  text: z.string().nullable(),
  usage: tokenUsage.nullable(),
  elapsedMs: z.number().nonnegative(),
  request: jsonObject,
  response: jsonValue,
});
export type SimulatedTurn = z.infer<typeof simulatedTurn>;

/** Everything that judging may use, so that a stored run can be judged again. */
export const trajectory = z.strictObject({
  steps: z.array(trajectoryStep),
  end: taskEnd,
  /** Results of the state checks, by id of the check. */
  states: z.record(z.string(), taskResult),
  /** What they are compared with, where that is another reading; absent: nothing is. */
  references: z.record(z.string(), taskResult).optional(),
  /** What programs said about the run, by id of the check; absent: none was asked. */
  programs: z.record(z.string(), programVerdict).optional(),
  /** The values that were filled in; absent: the task uses none. */
  values: runValues.optional(),
  /** What a simulated user said after the scripted turns; absent: nobody was asked. */
  user: z.strictObject({ model: z.string(), turns: z.array(simulatedTurn) }).optional(),
});
export type Trajectory = z.infer<typeof trajectory>;

/** Everything that the user said, in order: turn i of a step is element i. */
export const turnsOf = (
  { turns }: Pick<TaskContent, 'turns'>,
  { user, values }: Pick<Trajectory, 'user' | 'values'>,
): string[] => [
  ...fillWhereKnown(turns, values),
  ...(user?.turns.flatMap(({ text }) => text ?? []) ?? []),
];

export const taskOutcomes = [
  'succeeded',
  'check_failed',
  'limit',
  'loop',
  'refused',
  'no_answer',
  'not_scored',
] as const;
export type TaskOutcome = (typeof taskOutcomes)[number];

export const checkResult = z.strictObject({
  id: checkId,
  kind: z.enum(checkKinds),
  /** Null if it could not be judged, because its result is missing. */
  passed: z.boolean().nullable(),
  reason: z.string(),
  /** Of a failed check: the value, the last message, or the calls that it found; absent: nothing. */
  actual: (jsonValue as z.ZodType<JsonValue, JsonValue>).optional(),
  /** True for a judge that is not calibrated: the check decides nothing. */
  advisory: z.boolean().optional(),
  /** True for a judge that was asked and gave no usable verdict. */
  unusable: z.boolean().optional(),
  /** What each judge said, where several were asked. */
  votes: z.array(judgeVote).optional(),
  /** The share of the check that the run met, 0–1; absent: 1 if it passed, else 0. */
  score: z.number().min(0).max(1).optional(),
  weight: checkWeight,
});
export type CheckResult = z.infer<typeof checkResult>;

export const taskVerdict = z.strictObject({
  outcome: z.enum(taskOutcomes),
  /** Null for a run that is not scored. */
  succeeded: z.boolean().nullable(),
  checks: z.array(checkResult),
});
export type TaskVerdict = z.infer<typeof taskVerdict>;
