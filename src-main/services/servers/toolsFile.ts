import { basename, extname } from 'node:path';
import { otherFile } from '../../../src-shared/display/knownFiles.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { isJson, isJsonObject } from '../../../src-shared/domain/json.ts';
import {
  malformedIn,
  maxToolDepth,
  rejectedTool,
  tool as toolSchema,
  type ReceivedTool,
  type RejectedTool,
} from '../../../src-shared/domain/tool.ts';

export interface ToolsFile {
  tools: ReceivedTool[];
  rejected: RejectedTool[];
}

/** A whole document, with the tools that the program that wrote it couldn't use (`tools --json`). */
export interface ToolsDocument extends ToolsFile {
  leftOut: RejectedTool[];
}

const toolList = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.unknown().optional(),
  rejected: z.array(rejectedTool).optional().catch(undefined),
});
const serverList = z.object({
  servers: z.array(z.object({ name: z.string().min(1), tools: z.array(z.unknown()) })).min(1),
});
const toolsDocument = z.union([
  toolList,
  z.object({ result: toolList }).transform(({ result }) => result),
  serverList.transform(({ servers }) => ({
    tools: servers.flatMap(({ name, tools }) =>
      tools.map((tool) => (isJsonObject(tool) ? { ...tool, server: name } : tool)),
    ),
    nextCursor: undefined,
    rejected: undefined,
  })),
]);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Why a content isn't a list of tools: what it is instead, if that is known. */
const whyNot = (content: string, otherwise: string): string =>
  otherFile(content, { role: 'tools', kind: 'a list of tools' })?.message ?? otherwise;

/**
 * Reads a tools file: `{"tools":[{server, name, description, input_schema}]}`, a corpus (`tool_id`,
 * `server`, `tool`, `description`, `schema`), servers with their tools
 * (`{"servers":[{name, tools}]}`), or the result of MCP `tools/list`, whose tools get the file's
 * name as their server. Throws INVALID for anything else; a tool that cannot be offered
 * is rejected by name.
 */
export function readToolsFile(content: string, fileName: string): ToolsDocument {
  let parsed: unknown;
  try {
    parsed = parseJson(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalidFile(fileName, whyNot(content, `It isn't valid JSON (${errorText(error)}).`));
  }
  const found = toolsDocument.safeParse(parsed);
  if (!found.success) throw invalidFile(fileName, whyNot(content, 'It contains no "tools" list.'));
  if (typeof found.data.nextCursor === 'string')
    throw invalidFile(
      fileName,
      'It contains one page of a longer list (it ends with a nextCursor).',
    );
  return {
    ...readTools(found.data.tools, serverNameOf(fileName)),
    leftOut: found.data.rejected ?? [],
  };
}

/** Reads the entries of a tools list. Entries without a server belong to `fileServer`. */
export function readTools(entries: readonly unknown[], fileServer: string): ToolsFile {
  const file: ToolsFile = { tools: [], rejected: [] };
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry, index, fileServer);
    if ('reason' in read) {
      file.rejected.push(read);
      continue;
    }
    const id = `${read.tool.server}:${read.tool.name}`;
    if (seen.has(id))
      file.rejected.push({
        server: read.tool.server,
        name: read.tool.name,
        reason: 'Another tool of the file has this name.',
      });
    else file.tools.push(read);
    seen.add(id);
  }
  return file;
}

export const isToolsFile = (document: unknown): boolean =>
  toolsDocument.safeParse(document).success;

/** The entries of a tools file, each with where it is in it. */
export function listedEntries(
  document: unknown,
): { entry: unknown; path: readonly (string | number)[] }[] {
  const entries = toolsDocument.safeParse(document).data?.tools ?? [];
  const inServers =
    isJsonObject(document) && !('tools' in document) && !('result' in document)
      ? (serverList.safeParse(document).data?.servers ?? []).flatMap(({ tools }, server) =>
          tools.map((_, index) => ['servers', server, 'tools', index]),
        )
      : [];
  const path = isJsonObject(document) && 'tools' in document ? ['tools'] : ['result', 'tools'];
  return entries.map((entry, index) => ({ entry, path: inServers[index] ?? [...path, index] }));
}

/** What an entry is called, and the server that it belongs to. */
export const entryName = (
  entry: JsonObject,
  fileServer: string,
): { server: string; name: string | null } => ({
  server: textOrNull(entry['server']) ?? fileServer,
  name: textOrNull(entry['tool']) ?? textOrNull(entry['name']),
});

/** The server of a file's tools that name none. */
export const serverNameOf = (fileName: string) =>
  fileName === '-' ? 'file' : basename(fileName, extname(fileName)).replaceAll(':', '_') || 'file';

function readEntry(entry: unknown, index: number, fileServer: string): ReceivedTool | RejectedTool {
  if (!isJsonObject(entry))
    return { server: fileServer, name: `tool ${index + 1}`, reason: "It isn't an object." };
  const { server, name } = entryName(entry, fileServer);
  if (!name) return { server, name: `tool ${index + 1}`, reason: 'It has no name.' };
  if (server.includes(':'))
    return {
      server,
      name,
      reason: 'The server name contains a colon, so "server:tool" would be ambiguous.',
    };
  if (!isJson(entry, maxToolDepth))
    return { server, name, reason: `It is nested deeper than ${maxToolDepth} levels.` };
  const given = entry['inputSchema'] ?? entry['input_schema'] ?? entry['schema'];
  const schema = given ?? {};
  if (!isJsonObject(schema)) return { server, name, reason: "Its input schema isn't an object." };
  const output = entry['outputSchema'] ?? entry['output_schema'] ?? null;
  const tool = {
    server,
    name,
    title: textOrNull(entry['title']),
    description: textOrNull(entry['description']) ?? '',
    inputSchema: schema,
    outputSchema: isJsonObject(output) ? output : null,
    annotations: isJsonObject(entry['annotations']) ? entry['annotations'] : null,
    ...(given === undefined && 'server' in entry && { schemaless: true as const }),
    // Other programs write what is absent as null; what a server sent is judged as it is.
    ...('inputSchema' in entry ? malformedIn(entry) : namedMalformed(entry)),
  };
  // The text that a server sent is counted unchanged; every other format is first converted to that
  // of the protocol, so that token counts are comparable.
  return {
    tool,
    raw:
      textOrNull(entry['server']) === null
        ? JSON.stringify(entry)
        : JSON.stringify(toProtocolTool(tool)),
  };
}

/** What `tools --json` says of a tool. */
function namedMalformed(entry: JsonObject): Pick<ReceivedTool['tool'], 'malformed'> {
  const { data } = toolSchema.shape.malformed.safeParse(entry['malformed']);
  return data === undefined ? {} : { malformed: data };
}

function toProtocolTool(tool: {
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject | null;
}): JsonObject {
  const form: JsonObject = {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  };
  if (tool.outputSchema) form['outputSchema'] = tool.outputSchema;
  return form;
}

function invalidFile(fileName: string, cause: string): ServiceError {
  return new ServiceError('INVALID', {
    thing: `The tools file ${fileName}`,
    cause,
    nextStep:
      'Give {"tools":[{"server","name","description","input_schema"}]}, ' +
      '{"servers":[{"name","tools"}]}, a corpus, or the result of tools/list.',
  });
}
