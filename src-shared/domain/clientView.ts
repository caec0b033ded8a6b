import { z } from 'zod';
import { clientFacts } from './clientFacts.ts';

/** What a client does to a tool, the gravest first. */
export const clientMarks = ['server', 'hidden', 'cut', 'changed', 'unknown', 'shown'] as const;
const clientMark = z.enum(clientMarks);
/** What of a tool a client can change. */
const toolPart = z.enum(['name', 'description', 'schema']);
export type ClientMark = (typeof clientMarks)[number];

/** A client with how its reading of tools is known. */
const knownClient = clientFacts.pick({
  ...{ id: true, name: true, version: true, known: true, presentation: true },
  ...{ results: true, notes: true, assumed: true },
});
export type KnownClient = z.infer<typeof knownClient>;

const lostServer = z.object({
  server: z.string(),
  tools: z.number().int(),
  /** The tool that has to be corrected. */
  because: z.string(),
  clients: z.array(z.string()),
  why: z.string(),
  fix: z.string(),
});
export type LostServer = z.infer<typeof lostServer>;

/** What clients make of the tools of servers. */
export const clientMatrix = z.object({
  headline: z.string(),
  lost: z.array(lostServer),
  /** Each with how many tools don't reach the model. */
  clients: z.array(knownClient.extend({ hidden: z.number().int() })),
  /** The tools with the gravest marks first. */
  rows: z.array(
    z.object({
      toolId: z.string(),
      server: z.string(),
      tool: z.string(),
      /** One for each client. */
      marks: z.array(clientMark),
      /** One for each client: what it changes, where that is its mark. */
      changed: z.array(z.array(toolPart)),
    }),
  ),
});
export type ClientMatrix = z.infer<typeof clientMatrix>;

const beforeAfter = z.object({ before: z.string(), after: z.string() });

export const seenTool = z.object({
  client: knownClient,
  mark: clientMark,
  /** The name as the model calls it; null if the tool doesn't reach it. */
  wireName: z.string().nullable(),
  /** Why it doesn't reach the model; null if it does. */
  hidden: z.string().nullable(),
  /** What the client changes besides what it changes of every tool, one sentence each. */
  changes: z.array(z.string()),
  /** What it reads of the server before it searches; null if it doesn't search or it isn't known. */
  before: z.string().nullable(),
  /** What to do about it; null if nothing has to be done. */
  fix: z.string().nullable(),
  /** Null if it is shown as it is. */
  description: beforeAfter.nullable(),
  /** The schema as text; null if it is shown as it is. */
  schema: beforeAfter.nullable(),
  /** Of name, description and schema as they are shown, in cl100k_base; null if it isn't counted. */
  tokens: z.number().int().nullable(),
});
export type SeenTool = z.infer<typeof seenTool>;
