import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type {
  HttpConfig,
  ServerConfig,
  StdioConfig,
} from '../../../../src-shared/domain/server.ts';
import type {
  ServerExport,
  ServerExportFormat,
  ServerFileInput,
  ServerOrigin,
} from '../../../../src-shared/domain/serverImport.ts';
import { referencesIn } from '../variables.ts';

export interface ExportedServer {
  name: string;
  config: ServerConfig;
  origin: ServerOrigin | null;
}

const fileNames: Record<ServerExportFormat, string> = {
  'mcp.json': 'mcp.json',
  '.mcp.json': '.mcp.json',
  'claude-desktop': 'claude_desktop_config.json',
};

/**
 * Writes servers as VS Code, Claude Code or Claude Desktop reads them, including the keys that an
 * import kept. `losses` lists what the format cannot represent.
 */
export function exportServers(
  servers: readonly ExportedServer[],
  format: ServerExportFormat,
): ServerExport {
  const losses: ServerExport['losses'] = [];
  const table = new Map<string, JsonObject>();
  const inputs = new Map<string, ServerFileInput>();
  for (const { name, config, origin } of servers) {
    const addLoss = (message: string): void => void losses.push({ server: name, message });
    if (config.transport === 'skills') {
      addLoss('It is a folder of skills and no MCP server, so it is left out.');
      continue;
    }
    if (format === 'claude-desktop' && config.transport !== 'stdio') {
      addLoss('Claude Desktop supports local servers only; this one is left out.');
      continue;
    }
    table.set(name, { ...origin?.extra, ...toEntry(config, format) });
    for (const input of origin?.inputs ?? []) inputs.set(input.id, input);
    reportLosses(config, origin?.extra ?? {}, format, addLoss);
  }
  const entries = Object.fromEntries(table);
  const inputDeclarations = [...inputs.values()].map((input): JsonObject => ({
    type: 'promptString',
    id: input.id,
    ...(input.description === null ? {} : { description: input.description }),
    ...(input.password ? { password: true } : {}),
    ...(input.default === null ? {} : { default: input.default }),
  }));
  const document =
    format === 'mcp.json'
      ? { servers: entries, ...(inputDeclarations.length > 0 ? { inputs: inputDeclarations } : {}) }
      : { mcpServers: entries };
  return { fileName: fileNames[format], text: `${JSON.stringify(document, null, 2)}\n`, losses };
}

function toEntry(config: StdioConfig | HttpConfig, format: ServerExportFormat): JsonObject {
  if (config.transport !== 'stdio') {
    const headers: JsonObject =
      Object.keys(config.headers).length > 0 ? { headers: config.headers } : {};
    return { type: config.transport === 'sse' ? 'sse' : 'http', url: config.url, ...headers };
  }
  return {
    ...(format === 'claude-desktop' ? {} : { type: 'stdio' }),
    command: config.command,
    args: config.args,
    ...(config.cwd === null ? {} : { cwd: config.cwd }),
    ...(Object.keys(config.env).length > 0 ? { env: config.env } : {}),
  };
}

/** Reports what the other program may not understand. References are written unchanged. */
function reportLosses(
  config: ServerConfig,
  extra: JsonObject,
  format: ServerExportFormat,
  addLoss: (message: string) => void,
): void {
  if (config.transport === 'stdio' && config.cwd !== null && format !== 'mcp.json')
    addLoss('Its working folder is included, but the other app may ignore it.');
  if (JSON.stringify([config, extra]).includes('${secret:'))
    addLoss(
      'Secrets are written as references, without their values. Enter the values in the other app.',
    );
  const unsupported = referencesIn(config).filter(
    (reference) => !reference.startsWith('${secret:') && !supportsReference(format, reference),
  );
  if (unsupported.length > 0)
    addLoss(
      `${unsupported.join(', ')} ${unsupported.length > 1 ? 'are' : 'is'} written, but this ` +
        `program does not expand ${unsupported.length > 1 ? 'them' : 'it'}.`,
    );
}

function supportsReference(format: ServerExportFormat, reference: string): boolean {
  const isNamed =
    /^\$\{(?:env|input):|^\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}$/.test(
      reference,
    );
  if (format === 'mcp.json') return isNamed;
  return format === '.mcp.json' && !isNamed;
}
