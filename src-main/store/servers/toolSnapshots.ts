import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { sha256 } from '../../runtime/sha256.ts';
import {
  malformedIn,
  serverListing,
  snapshotTool,
  toolSnapshot,
  type ReceivedTool,
  type ServerListing,
  type SnapshotTool,
  type ToolSnapshot,
} from '../../../src-shared/domain/tool.ts';
import { notFound, json, readRow, requireRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ToolsToFreeze {
  servers: readonly ServerListing[];
  /** In the order in which they are offered. `serverId` is null where they came from a file. */
  tools: readonly { serverId: string | null; tool: ReceivedTool }[];
}

interface ToolContent {
  hash: string;
  name: string;
  title: string | null;
  description: string;
  input_schema: string;
  output_schema: string | null;
  annotations: string | null;
  skill: string | null;
  raw: string;
}

/** What `keep` writes of a tool: its columns, those with a large text as UTF-8. */
export interface PreparedTool {
  hash: string;
  columns: Readonly<Record<string, string | Buffer | null>>;
}

/** Writing a text of more characters takes long enough without encoding it in the same turn. */
const largeText = 1 << 18;

interface KeptTool {
  serverId: string | null;
  server: string;
  hash: string;
}

/** What `freezeKept` writes of tools that are stored already. */
interface KeptContent {
  id: string;
  servers: string;
  tools: readonly KeptTool[];
}

interface ToolRow extends Omit<ToolContent, 'raw'> {
  snapshot_tool_id: number;
  server_name: string;
  /** JSON: what SQLite calls the type of each member. Absent from excerpts. */
  members?: string | null;
}

/**
 * A stored tool. What JSON.parse returns is JSON, and its depth was checked when it was received,
 * so schemas of many megabytes are not walked again at every reading.
 */
const storedJson = z.custom<JsonObject>(isJsonObject, "It isn't a JSON object.");
const storedTool = snapshotTool.extend({
  inputSchema: storedJson,
  outputSchema: storedJson.nullable(),
  annotations: storedJson.nullable(),
});

/**
 * The types of members as the server sent them, as SQL. Columns hold only what could be read. Null for
 * a skill, and for a text that is too large to be parsed at every reading.
 */
const members = `iif(c.skill IS NULL AND octet_length(c.raw) < 200000 AND json_valid(c.raw),
    json_object(${['title', 'description', 'outputSchema', 'annotations']
      .map((name) => `'${name}', json_type(c.raw, '$.${name}')`)
      .join(', ')}), NULL) AS members`;

/** Shown in place of a schema that is too large. */
const omittedSchema = JSON.stringify({
  type: 'object',
  $comment: 'This schema is too large to be shown here.',
});

/** Identifies a tool's content: the hash of its text as its server sent it. */
export const hashTool = (raw: string): string => sha256(raw);

export function openToolSnapshots({ db, clock, redact, transaction }: StoreContext) {
  const byId = db.prepare<[string], { id: string; servers: string; created_at: string }>(
    'SELECT id, servers, created_at FROM tool_snapshots WHERE id = ?',
  );
  const toolsOf = db.prepare<
    [string],
    ToolRow
  >(`SELECT s.id AS snapshot_tool_id, s.server_name, c.hash, c.name, c.title, c.description, c.input_schema,
    c.output_schema, c.annotations, c.skill, ${members} FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position`);
  const pageOf = db.prepare<
    [string, number, number],
    ToolRow
  >(`SELECT s.id AS snapshot_tool_id, s.server_name, c.hash, c.name, c.title, c.description,
    c.input_schema, c.output_schema, c.annotations, c.skill, ${members} FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position LIMIT ? OFFSET ?`);
  const excerptOf = db.prepare<
    [{ id: string; position: number; max: number; omitted: string }],
    ToolRow
  >(`SELECT s.id AS snapshot_tool_id, s.server_name, c.hash, c.name,
    substr(c.title, 1, :max) AS title, substr(c.description, 1, :max) AS description,
    iif(octet_length(c.input_schema) > :max, :omitted, c.input_schema) AS input_schema,
    iif(octet_length(c.output_schema) > :max, :omitted, c.output_schema) AS output_schema,
    iif(octet_length(c.annotations) > :max, NULL, c.annotations) AS annotations,
    iif(octet_length(c.skill) > :max,
      json_set(c.skill, '$.body', substr(c.skill ->> '$.body', 1, :max), '$.fields', json('{}'), '$.files', json('[]')),
      c.skill) AS skill
    FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash
    WHERE s.snapshot_id = :id ORDER BY s.position LIMIT 1 OFFSET :position`);
  const rawOf = db
    .prepare<[string], string>('SELECT raw FROM tool_contents WHERE hash = ?')
    .pluck();
  const skillOf = db.prepare<[string], { text: string; body: string }>(
    `SELECT json_object('name', name, 'description', description) AS text, skill ->> '$.body' AS body
     FROM tool_contents WHERE hash = ? AND skill IS NOT NULL`,
  );
  const bytesOf = db
    .prepare<[string], number>('SELECT octet_length(raw) FROM tool_contents WHERE hash = ?')
    .pluck();
  const sizesOf = db
    .prepare<[string], number>(
      'SELECT octet_length(c.raw) FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position',
    )
    .pluck();
  const definitionOf = db
    .prepare<[string, string, string], string>(
      `SELECT substr(c.name || ' ' || coalesce(c.title, '') || ' ' || c.description || ' ' || c.input_schema, 1, 100000)
       FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash
       WHERE s.snapshot_id = ? AND s.server_name = ? AND c.name = ?`,
    )
    .pluck();
  const insertContent = db.prepare(`INSERT INTO tool_contents
    (hash, name, title, description, input_schema, output_schema, annotations, skill, raw, created_at)
    VALUES (:hash, CAST(:name AS TEXT), CAST(:title AS TEXT), CAST(:description AS TEXT),
      CAST(:input_schema AS TEXT), CAST(:output_schema AS TEXT), CAST(:annotations AS TEXT), CAST(:skill AS TEXT),
      CAST(:raw AS TEXT), :created_at) ON CONFLICT (hash) DO NOTHING`);
  const insertSnapshot = db.prepare<[string, string, string]>(
    'INSERT INTO tool_snapshots (id, servers, created_at) VALUES (?, ?, ?)',
  );
  const insertTool = db.prepare<[string, number, string | null, string, string]>(
    'INSERT INTO snapshot_tools (snapshot_id, position, mcp_server_id, server_name, tool_hash) VALUES (?, ?, ?, ?, ?)',
  );

  const raw = (hash: string): string => {
    const found = rawOf.get(hash);
    if (found === undefined) throw notFound('The frozen tool', hash);
    return found;
  };
  const get = (id: string): ToolSnapshot | null => {
    const row = byId.get(id);
    if (row === undefined) return null;
    return readRow(toolSnapshot, `The tool snapshot ${id}`, () => ({
      id,
      createdAt: row.created_at,
      servers: json(row.servers),
      tools: toolsOf.all(id).map(readTool),
    }));
  };

  return {
    get,
    /** The sizes of the texts of a snapshot's tools, in their order. */
    sizes: (id: string): number[] => sizesOf.all(id),
    /** The size of a tool's text, without reading it; 0 where no snapshot has this hash. */
    bytes: (hash: string): number => bytesOf.get(hash) ?? 0,
    /**
     * The words of a tool: name, title, description and input schema, up to 100,000 characters. Null
     * if the snapshot has no tool of this id.
     */
    definition(id: string, tool: string): string | null {
      const { server, tool: name } = splitToolId(tool);
      return definitionOf.get(id, server, name) ?? null;
    },
    /**
     * What is counted of a tool: its text, or a skill's name and description as JSON, with its body.
     * NOT_FOUND where no snapshot has this hash.
     */
    countedText: (hash: string): string | { text: string; body: string } =>
      skillOf.get(hash) ?? raw(hash),
    /** The text of a tool as its server sent it. NOT_FOUND where no snapshot has this hash. */
    raw,
    /**
     * For long lists: hashes, serializes and encodes a tool for `keep`, apart from it, because each
     * takes long for a large one.
     */
    prepare({ tool, raw: received }: ReceivedTool): PreparedTool {
      const raw = redact(received);
      const content = toContent(tool, raw, hashTool(raw));
      // Bytes are stored as they are, so nothing takes secrets out of them later.
      const encode = (text: string | null): string | Buffer | null =>
        text === null || text.length <= largeText
          ? text
          : Buffer.from(text === raw ? text : redact(text));
      return {
        hash: content.hash,
        columns: Object.fromEntries(
          Object.entries(content).map(([name, text]: [string, string | null]) => [
            name,
            encode(text),
          ]),
        ),
      };
    },
    /** Stores some of the tools. Nothing refers to them before `freezeKept`. */
    keep: (tools: readonly PreparedTool[]): void =>
      transaction(() => {
        const created_at = clock.now();
        for (const { columns } of tools) insertContent.run({ ...columns, created_at });
      }),
    /** Serializes and hashes for `freezeKept`, apart from it: instructions may be megabytes. */
    describeKept({
      servers: listings,
      tools,
      items = [],
    }: {
      servers: readonly ServerListing[];
      tools: readonly KeptTool[];
      /** Hashes of what the server offers besides tools, if that was listed. */
      items?: readonly string[];
    }): KeptContent {
      const servers = JSON.stringify(z.array(serverListing).parse(listings));
      return { id: snapshotId(servers, tools, items), servers, tools };
    },
    /**
     * Creates the snapshot of tools that are stored already, the same one as `freeze` of the same
     * content. Returns its id.
     */
    freezeKept: ({ id, servers, tools }: KeptContent): string =>
      transaction(() => {
        if (byId.get(id) !== undefined) return id;
        insertSnapshot.run(id, servers, clock.now());
        for (const [position, { serverId, server, hash }] of tools.entries())
          insertTool.run(id, position, serverId, server, hash);
        return id;
      }),
    /** A snapshot without its tools. */
    head(id: string): Omit<ToolSnapshot, 'tools'> | null {
      const row = byId.get(id);
      return row === undefined
        ? null
        : readRow(toolSnapshot.omit({ tools: true }), `The tool snapshot ${id}`, () => ({
            id,
            createdAt: row.created_at,
            servers: json(row.servers),
          }));
    },
    /** Some of a snapshot's tools, in their order. */
    page: (id: string, offset: number, limit: number): SnapshotTool[] =>
      pageOf
        .all(id, limit, offset)
        .map((row) => readRow(storedTool, `The frozen tool ${row.name}`, () => readTool(row))),
    /**
     * One tool of a snapshot whose text is too large to be shown: `maxLength` characters of its title
     * and description, and the schemas up to that length. A longer schema says that it is left out.
     */
    excerpt(id: string, position: number, max: number): SnapshotTool {
      const row = excerptOf.get({ id, position, max, omitted: omittedSchema });
      if (row === undefined) throw notFound('The tool of the snapshot', `${id}, ${position}`);
      return readRow(storedTool, `The frozen tool ${row.name}`, () => readTool(row));
    },
    /** The same content always gives the same snapshot and the same rows. */
    freeze: (content: ToolsToFreeze): ToolSnapshot =>
      transaction(() => {
        // Parsed, so that another order of a listing's keys does not give another snapshot.
        const servers = JSON.stringify(z.array(serverListing).parse(content.servers));
        const tools = content.tools.map(({ serverId, tool: { tool, raw: received } }) => {
          const raw = redact(received);
          return { serverId, tool, raw, hash: hashTool(raw) };
        });
        const id = snapshotId(
          servers,
          tools.map(({ serverId, tool, hash }) => ({ serverId, server: tool.server, hash })),
        );
        const known = get(id);
        if (known !== null) return known;
        const at = clock.now();
        insertSnapshot.run(id, servers, at);
        for (const [position, { serverId, tool, raw, hash }] of tools.entries()) {
          insertContent.run({ ...toContent(tool, raw, hash), created_at: at });
          insertTool.run(id, position, serverId, tool.server, hash);
        }
        return requireRow(get(id) ?? undefined);
      }),
  };
}

function toContent(tool: ReceivedTool['tool'], raw: string, hash: string): ToolContent {
  return {
    hash,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    input_schema: JSON.stringify(tool.inputSchema),
    output_schema: nullable(tool.outputSchema),
    annotations: nullable(tool.annotations),
    skill: nullable(tool.skill ?? null),
    raw,
  };
}

const snapshotId = (
  servers: string,
  tools: readonly KeptTool[],
  items: readonly string[] = [],
): string =>
  sha256(
    JSON.stringify([
      servers,
      tools.map(({ serverId, server, hash }) => [serverId, server, hash]),
      // Snapshots of tools alone have the same ids as before there were items.
      ...(items.length === 0 ? [] : [items]),
    ]),
  );

const nullable = (value: unknown) => (value === null ? null : JSON.stringify(value));

function readTool(row: ToolRow) {
  return {
    snapshotToolId: row.snapshot_tool_id,
    hash: row.hash,
    server: row.server_name,
    name: row.name,
    title: row.title,
    description: row.description,
    inputSchema: json(row.input_schema),
    outputSchema: json(row.output_schema),
    annotations: json(row.annotations),
    ...(row.skill === null ? {} : { skill: json(row.skill) }),
    ...(row.members == null ? {} : malformedOf(row.members)),
  };
}

/** A value of each type that SQLite names. */
const samples: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  false: false,
  integer: 0,
  real: 0,
  text: '',
  array: [],
  object: {},
};

function malformedOf(members: string) {
  const types = Object.entries(
    z.record(z.string(), z.string().nullable()).parse(JSON.parse(members)),
  );
  return malformedIn(
    Object.fromEntries(
      types.map(([name, type]) => [name, type === null ? undefined : samples[type]]),
    ),
  );
}
