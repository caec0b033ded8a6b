import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';

export const executionStatuses = [
  'PENDING',
  'RUNNING',
  'SUCCESS',
  'FAILED',
  'TIMEOUT',
  'CANCELLED',
] as const;
const executionStatus = z.enum(executionStatuses);
export type ExecutionStatus = z.infer<typeof executionStatus>;

/** Allowed status transitions of an execution (docs/rules.md §7). The last four are final. */
export const executionTransitions: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  PENDING: ['RUNNING', 'CANCELLED'],
  RUNNING: ['SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED'],
  SUCCESS: [],
  FAILED: [],
  TIMEOUT: [],
  CANCELLED: [],
};

export function isFinal(status: ExecutionStatus): boolean {
  return executionTransitions[status].length === 0;
}

/** Error codes of an execution; `error_message` explains them. */
const executionErrors = [
  'input',
  'output',
  'no_interpreter',
  'not_started',
  'exit_code',
  'signal',
  'out_of_memory',
  'too_much_output',
  'not_text',
  'not_json',
  'template',
  'policy',
  'network',
  'status',
  'tool_error',
  'secret',
  'server',
  'timeout',
  'cancelled',
  'interrupted',
  'internal',
] as const;
const executionError = z.enum(executionErrors);
export type ExecutionError = z.infer<typeof executionError>;

export const toolExecution = z.object({
  id: z.string(),
  /** Null for the draft of a tool that is not created yet. */
  toolId: z.string().nullable(),
  toolName: z.string(),
  /** Null if a draft ran, which is no version. */
  version: z.number().int().nullable(),
  status: executionStatus,
  inputData: jsonObject,
  outputData: jsonValue.nullable(),
  errorCode: executionError.nullable(),
  errorMessage: z.string().nullable(),
  /** The last lines of standard error; "" if there were none. */
  stderrTail: z.string(),
  /**
   * The beginning of output that was not a valid result, with a marker if it was cut; null if there
   * is none.
   */
  outputExcerpt: z.string().nullable(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  callerId: z.string().nullable(),
  traceId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ToolExecution = z.infer<typeof toolExecution>;

export const executionFilter = z.strictObject({
  toolId: z.string().optional(),
  status: z.array(executionStatus).max(6).optional(),
  callerId: z.string().optional(),
  traceId: z.string().optional(),
  /** Only executions created at or after this time. */
  since: z.string().optional(),
});
export type ExecutionFilter = z.infer<typeof executionFilter>;
