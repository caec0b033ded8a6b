import { z } from 'zod';
import { jsonObject } from './json.ts';
import { itemList } from './serverItem.ts';
import { skill } from './skill.ts';

/** A member of a published tool that isn't what MCP says it is, and what it is instead. */
const malformedMember = z.object({
  member: z.enum(['title', 'description', 'outputSchema', 'annotations']),
  found: z.enum(['null', 'a boolean', 'a number', 'a text', 'a list', 'an object']),
});
export type MalformedMember = z.infer<typeof malformedMember>;

/**
 * One tool as its server published it. `description` is "" if the server gave none; such a tool is
 * still offered and linted.
 */
export const tool = z.object({
  server: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  annotations: jsonObject.nullable(),
  /** Only if it is a skill: what a model reads when it uses it. */
  skill: skill.optional(),
  /** Only if there are any: they are read as absent. */
  malformed: z.array(malformedMember).min(1).optional(),
  /** Only of a corpus that has no schemas, so nothing is known of the one that was published. */
  schemaless: z.literal(true).optional(),
});
export type Tool = z.infer<typeof tool>;

/** What each member has to be, if it is there. */
const memberKinds = {
  title: 'a text',
  description: 'a text',
  outputSchema: 'an object',
  annotations: 'an object',
} as const;

function kindOf(value: unknown): MalformedMember['found'] | null {
  if (value === undefined) return null;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'boolean') return 'a boolean';
  return typeof value === 'object' ? 'an object' : 'a number';
}

/** `{ malformed }` of a tool as its server sent it, or nothing, to be spread into it. */
export function malformedIn(published: Readonly<Record<string, unknown>>): Pick<Tool, 'malformed'> {
  const malformed = Object.entries(memberKinds).flatMap(([member, kind]): MalformedMember[] => {
    const found = kindOf(published[member]);
    return found === null || found === kind
      ? []
      : [{ member: member as MalformedMember['member'], found }];
  });
  return malformed.length === 0 ? {} : { malformed };
}

/** A tool as `tools/list` returns it, without what it lacks. */
export const offeredTool = (tool: Tool) => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    ...(title === null || title === '' ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === null ? {} : { outputSchema }),
    ...(annotations === null ? {} : { annotations }),
  };
};

/**
 * Deeper tools cannot be stored: the database reads JSON up to 1,000 levels, and no real schema
 * comes close.
 */
export const maxToolDepth = 500;

/** A tool that cannot be offered, because it has no name or its input schema is not an object. */
export const rejectedTool = z.object({ server: z.string(), name: z.string(), reason: z.string() });
export type RejectedTool = z.infer<typeof rejectedTool>;

/** The result of listing one server: all pages, or the reason for the failure. */
export const serverListing = z.object({
  server: z.string(),
  /** Null if the tools came from a file. */
  serverId: z.string().nullable(),
  status: z.enum(['listed', 'failed']),
  error: z.string().nullable(),
  instructions: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
  rejected: z.array(rejectedTool),
  /** Absent if only the tools were listed, as evaluations do. */
  items: z.array(itemList).optional(),
});
export type ServerListing = z.infer<typeof serverListing>;

/** The listing of a server that was not asked, or didn't answer; `error` says why it failed. */
export const listingOf = (
  { server, serverId }: Pick<ServerListing, 'server' | 'serverId'>,
  error: string | null = null,
): ServerListing => ({
  ...{ server, serverId, status: error === null ? 'listed' : 'failed', error },
  ...{ instructions: null, protocolVersion: null, serverInfo: null, rejected: [] },
});

/** A tool with the exact text that its server sent, which is what is hashed, frozen and counted. */
export interface ReceivedTool {
  tool: Tool;
  raw: string;
}

/** A tool from a file. `raw` is the text that is hashed and frozen. */
export const inlineTool = z.strictObject({ tool, raw: z.string() });

/** A frozen tool. Runs refer to `snapshotToolId`; `hash` identifies its content. */
export const snapshotTool = tool.extend({ snapshotToolId: z.number().int(), hash: z.string() });
export type SnapshotTool = z.infer<typeof snapshotTool>;

export type ShownTool = SnapshotTool & {
  /** The name under which a client shows it; left out: the one that a provider takes. */
  wireName?: string;
};

export const toolSnapshot = z.object({
  id: z.string(),
  createdAt: z.string(),
  servers: z.array(serverListing),
  tools: z.array(snapshotTool),
});
export type ToolSnapshot = z.infer<typeof toolSnapshot>;

/**
 * Who listed a server's tools: a person, who has then seen them, or an evaluation or a check, whose
 * changes a person has yet to review.
 */
export const listingRequester = z.enum(['person', 'evaluation', 'check']);
