import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';

/**
 * How an argument differs: another value, left out, not expected, unknown to the input schema,
 * unreadable, or against the input schema.
 */
export const parameterDifference = z.strictObject({
  /** Its name, with the path to the value in it that differs: `items[1].sku`. */
  name: z.string(),
  kind: z.enum(['value', 'missing', 'extra', 'made_up', 'unreadable', 'schema']),
  /** Absent: nothing was expected, or nothing was sent. */
  expected: jsonValue.optional(),
  actual: jsonValue.optional(),
  text: z.string().describe('`day: expected "monday", got "saturday"`'),
});
export type ParameterDifference = z.infer<typeof parameterDifference>;

/** What is wrong with one call of a failed run. */
export const callDifference = z.strictObject({
  kind: z.enum([
    'arguments',
    'wrong_tool',
    'not_called',
    'out_of_order',
    'unneeded_call',
    'made_up_tool',
  ]),
  expected: z
    .strictObject({ tools: z.array(z.string()), parameters: jsonObject.nullable() })
    .nullable()
    .describe('Several tools are equally right. The parameters that differ come first.'),
  called: z
    .strictObject({ tool: z.string(), arguments: jsonObject.nullable() })
    .nullable()
    .describe('Arguments are null where they could not be read. Those that differ come first.'),
  parameters: z.array(parameterDifference),
  text: z.string().describe('What differs, in words.'),
});
export type CallDifference = z.infer<typeof callDifference>;
