import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerFileFormat } from '../../../../src-shared/domain/serverImport.ts';
import { readEntries } from './clientEntry.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/**
 * Reads `{"mcpServers": {name: entry}}`: Claude Desktop, Cursor, LM Studio, Cline, and Claude Code,
 * whose own file has more servers under each of its `projects`.
 */
export function readMcpServersFile(source: FileSource, root: JsonObject): ServerFile {
  const file: ServerFile = { format: detectFormat(root), entries: [], skipped: [], problems: [] };
  if (root['mcpServers'] !== undefined)
    readEntries(file, source, ['mcpServers'], root['mcpServers']);
  const taken = new Set([...file.entries, ...file.skipped].map(({ name }) => name));
  for (const [folder, project] of projectsOf(root)) {
    const rename = (name: string): string =>
      taken.has(name) ? `${name} (${lastSegment(folder)})` : name;
    const before = file.entries.length;
    readEntries(file, source, ['projects', folder, 'mcpServers'], project['mcpServers'] ?? {}, {
      rename,
    });
    for (const entry of file.entries.slice(before)) {
      taken.add(entry.name);
      entry.warnings.push(`It belongs to the project ${folder}.`);
    }
  }
  return file;
}

function projectsOf(root: JsonObject): [string, JsonObject][] {
  const projects = root['projects'];
  if (!isJsonObject(projects)) return [];
  return Object.entries(projects).filter(
    (pair): pair is [string, JsonObject] =>
      isJsonObject(pair[1]) && isJsonObject(pair[1]['mcpServers']),
  );
}

/** Tells the clients apart by keys that only they write. */
function detectFormat(root: JsonObject): ServerFileFormat {
  if (projectsOf(root).length > 0) return 'claude-code';
  const entries = isJsonObject(root['mcpServers'])
    ? Object.values(root['mcpServers']).filter(isJsonObject)
    : [];
  if (
    entries.some(
      (entry) => entry['autoApprove'] !== undefined || entry['alwaysAllow'] !== undefined,
    )
  )
    return 'cline';
  return entries.some((entry) => entry['type'] !== undefined) ? 'claude-code' : 'mcp-servers';
}

const lastSegment = (folder: string): string =>
  folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;
