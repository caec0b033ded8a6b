import { z } from 'zod';
import { jsonObject } from './json.ts';
import { inlineTool } from './tool.ts';

const toolName = z.string().min(1, 'A tool needs a name.').max(128);

/** So many tools of a file may be offered beside those of an evaluation. */
export const maxAddedTools = 5_000;

/**
 * One change of the tools that a what-if offers, as it is asked for. Tools go by the names that
 * they have in the evaluation.
 */
export const whatIfChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('remove_tool'), toolId: z.string() }),
  z.strictObject({ kind: z.literal('remove_server'), server: z.string() }),
  /** Tools that come with the call, from a file. */
  z.strictObject({
    kind: z.literal('add_tools'),
    tools: z.array(inlineTool).min(1).max(maxAddedTools),
  }),
  /** A registered server, with its tools as last listed. */
  z.strictObject({ kind: z.literal('add_server'), server: z.string() }),
  z.strictObject({
    kind: z.literal('override'),
    toolId: z.string(),
    description: z.string().max(100_000).optional(),
    title: z.string().max(1000).optional(),
    inputSchema: jsonObject.optional(),
  }),
  z.strictObject({ kind: z.literal('rename'), toolId: z.string(), name: toolName }),
]);
export type WhatIfChange = z.infer<typeof whatIfChange>;

/** A change as the evaluation keeps it. */
export const appliedChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('remove_tool'), toolId: z.string() }),
  z.strictObject({ kind: z.literal('remove_server'), server: z.string(), tools: z.number().int() }),
  z.strictObject({ kind: z.literal('add_tool'), toolId: z.string() }),
  z.strictObject({ kind: z.literal('add_server'), server: z.string(), tools: z.number().int() }),
  z.strictObject({
    kind: z.literal('override'),
    toolId: z.string(),
    parts: z.array(z.enum(['description', 'title', 'input_schema'])),
  }),
  z.strictObject({ kind: z.literal('rename'), toolId: z.string(), to: z.string() }),
]);
export type AppliedChange = z.infer<typeof appliedChange>;

/**
 * Where an evaluation repeats another one on changed tools (what-if), or one of its cases on the
 * same tools.
 */
export const whatIf = z.strictObject({
  baseId: z.string(),
  changes: z.array(appliedChange),
  addedServers: z.array(z.string()),
  removedServers: z.array(z.string()),
  /** Places of the cases that are repeated; null = all. */
  positions: z.array(z.number().int()).nullable(),
});
export type WhatIf = z.infer<typeof whatIf>;

/** A change in one line. */
export function describeChange(change: AppliedChange): string {
  switch (change.kind) {
    case 'remove_tool':
      return `without ${change.toolId}`;
    case 'remove_server':
      return `without server ${change.server} (${change.tools} tools)`;
    case 'add_tool':
      return `with ${change.toolId}`;
    case 'add_server':
      return `with server ${change.server} (${change.tools} tools)`;
    case 'override':
      return (
        `${change.toolId} with another ` +
        `${change.parts.map((part) => part.replace('_', ' ')).join(' and ')}`
      );
    case 'rename':
      return `${change.toolId} called ${change.to}`;
  }
}
