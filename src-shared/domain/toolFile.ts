import { z } from 'zod';
import { defaultExecutor, executorType } from './executors.ts';
import { jsonObject } from './json.ts';

/** A tool as a JSON file, with its script in a file next to it. */
export const toolFile = z.strictObject({
  touchstone_tool: z.literal(1),
  name: z.string(),
  display_name: z.string().optional(),
  description: z.string(),
  /** Category names from the root down, joined by slashes. */
  category: z.string().nullable().optional(),
  tags: z.array(z.string()).optional(),
  executor_type: executorType.default(defaultExecutor),
  executor_config: jsonObject.optional(),
  input_schema: jsonObject.optional(),
  inputSchema: jsonObject.optional(),
  output_schema: jsonObject.optional(),
  outputSchema: jsonObject.optional(),
  /** Name of the script file in the same folder. */
  script: z.string().nullable().optional(),
});
export type ToolFile = z.infer<typeof toolFile>;
