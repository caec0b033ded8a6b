import { z } from 'zod';
import { candidateState } from './candidate.ts';
import { severities } from './severity.ts';

/** A tool that was called although another one was expected. */
const calledInstead = z.object({
  toolId: z.string(),
  times: z.number().int(),
  /** How similar the two are, 0–1; null before the tools are compared. */
  similarity: z.number().nullable(),
});

/** What one model did in the last result that expected a tool. */
const toolOfModel = z.object({
  modelSettingsId: z.string(),
  model: z.string(),
  /** Scored runs that expected the tool, alone or not, and how many passed. */
  scored: z.number().int(),
  passed: z.number().int(),
  /** The most frequent first. Calls of tools that weren't offered are left out. */
  instead: z.array(calledInstead),
});
export type ToolOfModel = z.infer<typeof toolOfModel>;

/** The last ended result that expected a tool and scored a run of it; derived results don't count. */
const toolResult = z.object({
  id: z.string(),
  number: z.number().int(),
  createdAt: z.string(),
  /** Nothing is pooled over models. */
  models: z.array(toolOfModel).min(1),
});
export type ToolResult = z.infer<typeof toolResult>;

const workReason = z.enum(['fails', 'signal', 'similar', 'quality']);
export type WorkReason = z.infer<typeof workReason>;

/** The candidate of a tool that matters most: a proven one that waits, else the newest. */
const toolCandidate = z.object({
  id: z.string(),
  state: candidateState,
  /** What its proof fixed and broke; null without one. */
  won: z.number().int().nullable(),
  lost: z.number().int().nullable(),
});

/** What is known of one tool of a registered server. */
const toolRow = z.object({
  toolId: z.string(),
  serverId: z.string(),
  server: z.string(),
  name: z.string(),
  /** Identifies its definition. */
  hash: z.string(),
  /** The first line of its description, else its title. */
  summary: z.string(),
  /** In cl100k_base over the text as received; null until it is counted. */
  tokens: z.number().int().nullable(),
  /** Cases of all suites that expect it, also as one of several alternatives. */
  cases: z.number().int(),
  result: toolResult.nullable(),
  /** Score by the quality rules, 1–10; null before the tools are checked. */
  quality: z.number().nullable(),
  /** The most similar tool; null before the tools are compared, and for the only one. */
  mostSimilar: z.object({ toolId: z.string(), similarity: z.number() }).nullable(),
  /** Security signals that nobody marked as safe; null before the tools are scanned. */
  signals: z.object({ open: z.number().int(), worst: z.enum(severities).nullable() }).nullable(),
  /** The last change of its definition; null if it is as first listed, also under a new name. */
  changed: z
    .object({
      at: z.string(),
      /** No person has seen it in a listing yet. */
      unseen: z.boolean(),
      /** It came after the last result, whose numbers it makes old. */
      sinceResult: z.boolean(),
    })
    .nullable(),
  candidate: toolCandidate.nullable(),
  /** Why it needs work, the first reason that holds; null if none does. */
  needsWork: workReason.nullable(),
});
export type ToolRow = z.infer<typeof toolRow>;

/** A registered server, as the table of tools counts it. */
const toolServer = z.object({
  id: z.string(),
  name: z.string(),
  /** It was added with the sample data. */
  sample: z.boolean(),
  /** Whether its tools are in the table. */
  counted: z.boolean(),
  tools: z.number().int(),
  /** Null until every tool is counted. */
  tokens: z.number().int().nullable(),
});
export type ToolServer = z.infer<typeof toolServer>;

export const toolList = z.object({
  servers: z.array(toolServer),
  /** What needs work most comes first. */
  rows: z.array(toolRow),
  /** False if similarity, quality or signals of changed tools still have to be computed. */
  complete: z.boolean(),
  /** From where on two tools count as similar: the setting. */
  similarFrom: z.number(),
});
export type ToolList = z.infer<typeof toolList>;
