import { z } from 'zod';
import { checkKinds, type CheckKind } from './checkKinds.ts';
import { jsonObject, jsonValue, type JsonObject, type JsonValue } from './json.ts';

const parameterKinds = ['value', 'missing', 'extra', 'made_up', 'unreadable', 'schema'] as const;

export interface ParameterDifference {
  /** With the path to the value in it that differs: `items[1].sku`. */
  name: string;
  /**
   * Another value, left out, not expected, unknown to the input schema, unreadable, or against the
   * input schema.
   */
  kind: (typeof parameterKinds)[number];
  /** Absent: nothing was expected, or nothing was sent. */
  expected?: JsonValue | undefined;
  actual?: JsonValue | undefined;
  /** `day: expected "monday", got "saturday"` */
  text: string;
}

const callKinds = [
  'arguments',
  'wrong_tool',
  'not_called',
  'out_of_order',
  'unneeded_call',
  'made_up_tool',
] as const;

export interface CallDifference {
  kind: (typeof callKinds)[number];
  /** Several tools are equally right. */
  expected: { tools: string[]; parameters: JsonObject | null } | null;
  called: { tool: string; arguments: JsonObject | null } | null;
  parameters: ParameterDifference[];
  /** What differs, in words. */
  text: string;
}

const schema: z.ZodType<CallDifference> = z.strictObject({
  kind: z.enum(callKinds),
  expected: z
    .strictObject({ tools: z.array(z.string()), parameters: jsonObject.nullable() })
    .nullable()
    .describe('Several tools are equally right. The parameters that differ come first.'),
  called: z
    .strictObject({ tool: z.string(), arguments: jsonObject.nullable() })
    .nullable()
    .describe('Arguments are null where they could not be read. Those that differ come first.'),
  parameters: z.array(
    z.strictObject({
      name: z.string().describe('With the path to the value in it that differs.'),
      kind: z.enum(parameterKinds),
      expected: jsonValue.optional(),
      actual: jsonValue.optional(),
      text: z.string(),
    }),
  ),
  text: z.string().describe('What differs, in words.'),
});
/** Typed for writing, too: what a service answers is checked as what it reads. */
export const callDifference = schema as z.ZodType<CallDifference, CallDifference>;

type CheckDifferenceKind = `${CheckKind}_check`;
const stateTests = ['contains', 'excludes', 'matches'] as const;

/** What a failed check of a task expected, and what there was. */
export interface CheckDifference {
  kind: CheckDifferenceKind;
  /** Its id in the task. */
  check: string;
  /** What it reads: `todo:list_tasks at /tasks`, or of an answer what isn't the whole last message. */
  place?: string | undefined;
  /** How that is compared. */
  test?: (typeof stateTests)[number] | undefined;
  /** A value with matchers, the calls that must and must not be made, or the rubric. */
  expected: JsonValue;
  /** The value, the last message, or the calls; absent: nothing, or not known. */
  actual?: JsonValue | undefined;
  /** `check done: list_tasks at /0: expected true, got false` */
  text: string;
}

const ofCheck: z.ZodType<CheckDifference> = z.strictObject({
  kind: z.enum(checkKinds.map((kind) => `${kind}_check` as const) as [CheckDifferenceKind]),
  check: z.string().describe('Its id in the task.'),
  place: z
    .string()
    .optional()
    .describe('What it reads: the result of a tool, or a part of what the model wrote.'),
  test: z.enum(stateTests).optional(),
  expected: jsonValue.describe(
    'A value with matchers, the calls that must and must not be made, or the rubric.',
  ),
  actual: jsonValue
    .optional()
    .describe('The value, the last message, or the calls; absent: nothing, or not known.'),
  text: z.string().describe('What differs, in words.'),
});
export const checkDifference = ofCheck as z.ZodType<CheckDifference, CheckDifference>;

/** What is wrong with a failed run of a case or of a task. */
export type RunDifference = CallDifference | CheckDifference;
export const runDifference: z.ZodType<RunDifference, RunDifference> = z.union([
  callDifference,
  checkDifference,
]);
