import { z } from 'zod';
import { presentedAs } from './clientFacts.ts';
import { jsonObject } from './json.ts';
import { inlineTool } from './tool.ts';

const toolName = z.string().min(1, 'A tool needs a name.').max(128);

/** Upper limit of tools that a file may add to an evaluation. */
export const maxAddedTools = 5_000;

/** One requested change of the tools in a what-if. Tools are named as in the evaluation. */
export const whatIfChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('remove_tool'), toolId: z.string() }),
  z.strictObject({ kind: z.literal('remove_server'), server: z.string() }),
  /** Tools that come with the request, from a file. */
  z.strictObject({
    kind: z.literal('add_tools'),
    tools: z.array(inlineTool).min(1).max(maxAddedTools),
  }),
  /** A registered server, with its last listed tools. */
  z.strictObject({ kind: z.literal('add_server'), server: z.string() }),
  z.strictObject({
    kind: z.literal('override'),
    toolId: z.string(),
    description: z.string().max(100_000).optional(),
    title: z.string().max(1000).optional(),
    inputSchema: jsonObject.optional(),
  }),
  z.strictObject({ kind: z.literal('rename'), toolId: z.string(), name: toolName }),
  z.strictObject({ kind: z.literal('present_as'), client: presentedAs }),
]);
export type WhatIfChange = z.infer<typeof whatIfChange>;

/** A change as stored with the evaluation. */
const appliedChange = z.discriminatedUnion('kind', [
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
  z.strictObject({ kind: z.literal('present_as'), client: presentedAs }),
]);
export type AppliedChange = z.infer<typeof appliedChange>;

/**
 * How an evaluation repeats another one with changed tools (what-if), or one of its cases with the
 * same tools.
 */
export const whatIf = z.strictObject({
  baseId: z.string(),
  changes: z.array(appliedChange),
  addedServers: z.array(z.string()),
  removedServers: z.array(z.string()),
  /** Indexes of the repeated cases; null = all. */
  positions: z.array(z.number().int()).nullable(),
});
