import { z } from 'zod';
import { executorType } from './executors.ts';
import { jsonObject } from './json.ts';

/** A tool as a file: one JSON, with its script in a file beside it. */
export const toolFile = z.strictObject({
  touchstone_tool: z.literal(1),
  name: z.string(),
  display_name: z.string().optional(),
  description: z.string(),
  /** Names from the top of the tree down, joined by slashes. */
  category: z.string().nullable().optional(),
  tags: z.array(z.string()).optional(),
  executor_type: executorType,
  executor_config: jsonObject.optional(),
  input_schema: jsonObject.optional(),
  inputSchema: jsonObject.optional(),
  output_schema: jsonObject.optional(),
  outputSchema: jsonObject.optional(),
  /** The name of the file beside this one. */
  script: z.string().nullable().optional(),
});
export type ToolFile = z.infer<typeof toolFile>;
