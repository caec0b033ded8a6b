import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Client } from '../../../src-shared/contract/index.ts';

export type { Client };

/** The services that the tools work on, in this process or in a running window. */
export interface AgentBackend {
  readonly reader: Client;
  /** Runs work that writes to the workspace, which is locked only meanwhile. */
  write: <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;
}

/** What a call may use besides its arguments. */
export interface CallContext {
  /** Aborted if the client cancels the call or the server ends. */
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

export interface AgentTool {
  name: string;
  title: string;
  description: string;
  inputSchema: z.ZodObject;
  outputSchema: z.ZodObject;
  annotations: ToolAnnotations;
  call: (args: unknown, context: CallContext) => Promise<Record<string, unknown>>;
}

interface TypedTool<Input extends z.ZodObject, Output extends z.ZodObject> extends Omit<
  AgentTool,
  'inputSchema' | 'outputSchema' | 'call'
> {
  inputSchema: Input;
  outputSchema: Output;
  call: (args: z.output<Input>, context: CallContext) => Promise<z.input<Output>>;
}

/** Checks that a tool's code fits its schemas; the server checks every call and answer by them. */
export const agentTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: TypedTool<Input, Output>,
): AgentTool => ({
  ...tool,
  call: (args, context) => tool.call(tool.inputSchema.parse(args), context),
});

export const toolName = z
  .string()
  .max(1000)
  .regex(/^[^:]+:.+$/);

/** What reading tools say about themselves: nothing changes, and no other system is asked. */
export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What running tools say: each call adds an evaluation, and may ask servers and models. */
export const addsEvaluation: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
