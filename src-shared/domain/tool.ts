import { z } from 'zod';
import { jsonObject } from './json.ts';

/**
 * One tool as its server published it. `description` is "" where the server gave none: offered and
 * linted, never dropped.
 */
export const tool = z.object({
  server: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  annotations: jsonObject.nullable(),
});
export type Tool = z.infer<typeof tool>;

/**
 * A tool that nests deeper can't be kept: the database reads JSON of up to 1,000 levels, and no
 * honest schema comes near.
 */
export const maxToolDepth = 500;

/**
 * A tool that can't be offered (no name, or an input schema that is no object), by name with its
 * reason.
 */
export const rejectedTool = z.object({ server: z.string(), name: z.string(), reason: z.string() });
export type RejectedTool = z.infer<typeof rejectedTool>;

/**
 * What one server gave when its tools were asked for: all pages, or the reason why it could not.
 */
export const serverListing = z.object({
  server: z.string(),
  /** Null where the tools came from a file. */
  serverId: z.string().nullable(),
  status: z.enum(['listed', 'failed']),
  error: z.string().nullable(),
  instructions: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
  rejected: z.array(rejectedTool),
});
export type ServerListing = z.infer<typeof serverListing>;

/**
 * A tool together with the exact text that its server sent; the text is what is hashed, frozen and
 * counted.
 */
export interface ReceivedTool {
  tool: Tool;
  raw: string;
}

/** A tool from a file: `raw` is the text that is hashed and frozen. */
export const inlineTool = z.strictObject({ tool, raw: z.string() });

/**
 * A frozen tool: `snapshotToolId` is the row that runs point to, `hash` the content it stands for.
 */
export const snapshotTool = tool.extend({ snapshotToolId: z.number().int(), hash: z.string() });
export type SnapshotTool = z.infer<typeof snapshotTool>;

export const toolSnapshot = z.object({
  id: z.string(),
  createdAt: z.string(),
  servers: z.array(serverListing),
  tools: z.array(snapshotTool),
});
export type ToolSnapshot = z.infer<typeof toolSnapshot>;

/**
 * Who asked a server for its tools: a person, who has then seen them, or an evaluation that met
 * others than were known.
 */
export const listingRequester = z.enum(['person', 'evaluation']);
