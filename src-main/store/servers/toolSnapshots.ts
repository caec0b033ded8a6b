import { z } from 'zod';
import { sha256 } from '../../runtime/sha256.ts';
import {
  serverListing,
  snapshotTool,
  toolSnapshot,
  type ReceivedTool,
  type ServerListing,
  type SnapshotTool,
  type ToolSnapshot,
} from '../../../src-shared/domain/tool.ts';
import { notFound } from '../database/conflict.ts';
import { json, readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ToolsToFreeze {
  servers: readonly ServerListing[];
  /** In the order in which they are offered. `serverId` is null where they came from a file. */
  tools: readonly { serverId: string | null; tool: ReceivedTool }[];
}

export interface ToolSnapshotStore {
  /** The same content always gives the same snapshot and the same rows. */
  freeze(content: ToolsToFreeze): ToolSnapshot;
  get(id: string): ToolSnapshot | null;
  /**
   * For long lists: stores some of the tools and returns their hashes. Nothing refers to them
   * before `freezeKept`.
   */
  keep(tools: readonly ReceivedTool[]): string[];
  /**
   * Creates the snapshot of tools that are stored already, the same one as `freeze` of the same
   * content. Returns its id.
   */
  freezeKept(content: {
    servers: readonly ServerListing[];
    tools: readonly { serverId: string | null; server: string; hash: string }[];
  }): string;
  /** A snapshot without its tools. */
  head(id: string): Omit<ToolSnapshot, 'tools'> | null;
  /** Some of a snapshot's tools, in their order. */
  page(id: string, offset: number, limit: number): SnapshotTool[];
  /** The text of a tool as its server sent it. NOT_FOUND where no snapshot has this hash. */
  raw(hash: string): string;
}

interface ToolRow {
  snapshot_tool_id: number;
  server_name: string;
  hash: string;
  name: string;
  title: string | null;
  description: string;
  input_schema: string;
  output_schema: string | null;
  annotations: string | null;
}

/** Identifies a tool's content: the hash of its text as its server sent it. */
export const hashTool = (raw: string): string => sha256(raw);

export function openToolSnapshots({ db, clock, transaction }: StoreContext): ToolSnapshotStore {
  const byId = db.prepare<[string], { id: string; servers: string; created_at: string }>(
    'SELECT id, servers, created_at FROM tool_snapshots WHERE id = ?',
  );
  const toolsOf = db.prepare<
    [string],
    ToolRow
  >(`SELECT s.id AS snapshot_tool_id, s.server_name, c.hash, c.name, c.title, c.description, c.input_schema,
    c.output_schema, c.annotations FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position`);
  const pageOf = db.prepare<
    [string, number, number],
    ToolRow
  >(`SELECT s.id AS snapshot_tool_id, s.server_name, c.hash, c.name, c.title, c.description,
    c.input_schema, c.output_schema, c.annotations FROM snapshot_tools s JOIN tool_contents c ON c.hash = s.tool_hash WHERE s.snapshot_id = ? ORDER BY s.position LIMIT ? OFFSET ?`);
  const rawOf = db
    .prepare<[string], string>('SELECT raw FROM tool_contents WHERE hash = ?')
    .pluck();
  const insertContent = db.prepare(`INSERT INTO tool_contents
    (hash, name, title, description, input_schema, output_schema, annotations, raw, created_at)
    VALUES (:hash, :name, :title, :description, :input_schema, :output_schema, :annotations, :raw, :created_at) ON CONFLICT (hash) DO NOTHING`);
  const insertSnapshot = db.prepare<[string, string, string]>(
    'INSERT INTO tool_snapshots (id, servers, created_at) VALUES (?, ?, ?)',
  );
  const insertTool = db.prepare<[string, number, string | null, string, string]>(
    'INSERT INTO snapshot_tools (snapshot_id, position, mcp_server_id, server_name, tool_hash) VALUES (?, ?, ?, ?, ?)',
  );

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
    raw(hash) {
      const raw = rawOf.get(hash);
      if (raw === undefined) throw notFound('The frozen tool', hash);
      return raw;
    },
    keep: (tools) =>
      transaction(() => {
        const at = clock.now();
        return tools.map(({ tool, raw }) => {
          const hash = hashTool(raw);
          insertContent.run(toContent(tool, raw, hash, at));
          return hash;
        });
      }),
    freezeKept: ({ servers: listings, tools }) =>
      transaction(() => {
        const servers = JSON.stringify(z.array(serverListing).parse(listings));
        const id = snapshotId(servers, tools);
        if (byId.get(id) !== undefined) return id;
        insertSnapshot.run(id, servers, clock.now());
        for (const [position, { serverId, server, hash }] of tools.entries())
          insertTool.run(id, position, serverId, server, hash);
        return id;
      }),
    head(id) {
      const row = byId.get(id);
      return row === undefined
        ? null
        : readRow(toolSnapshot.omit({ tools: true }), `The tool snapshot ${id}`, () => ({
            id,
            createdAt: row.created_at,
            servers: json(row.servers),
          }));
    },
    page: (id, offset, limit) =>
      pageOf
        .all(id, limit, offset)
        .map((row) => readRow(snapshotTool, `The frozen tool ${row.name}`, () => readTool(row))),
    freeze: (content) =>
      transaction(() => {
        // Parsed, so that another order of a listing's keys does not give another snapshot.
        const servers = JSON.stringify(z.array(serverListing).parse(content.servers));
        const tools = content.tools.map(({ serverId, tool: { tool, raw } }) => ({
          serverId,
          tool,
          raw,
          hash: hashTool(raw),
        }));
        const id = snapshotId(
          servers,
          tools.map(({ serverId, tool, hash }) => ({ serverId, server: tool.server, hash })),
        );
        const known = get(id);
        if (known !== null) return known;
        const at = clock.now();
        insertSnapshot.run(id, servers, at);
        for (const [position, { serverId, tool, raw, hash }] of tools.entries()) {
          insertContent.run(toContent(tool, raw, hash, at));
          insertTool.run(id, position, serverId, tool.server, hash);
        }
        return requireRow(get(id) ?? undefined);
      }),
  };
}

function toContent(tool: ReceivedTool['tool'], raw: string, hash: string, at: string) {
  return {
    hash,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    input_schema: JSON.stringify(tool.inputSchema),
    output_schema: nullable(tool.outputSchema),
    annotations: nullable(tool.annotations),
    raw,
    created_at: at,
  };
}

const snapshotId = (
  servers: string,
  tools: readonly { serverId: string | null; server: string; hash: string }[],
): string =>
  sha256(
    JSON.stringify([servers, tools.map(({ serverId, server, hash }) => [serverId, server, hash])]),
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
  };
}
