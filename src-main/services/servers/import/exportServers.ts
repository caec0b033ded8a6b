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
import { extractSecrets, secretNames } from '../secrets/extractSecrets.ts';
import { referencesIn } from '../variables.ts';
import { clients } from './clients.ts';
import type { ClientFileShape } from './findTables.ts';

export interface ExportedServer {
  name: string;
  config: ServerConfig;
  origin: ServerOrigin | null;
}

/** How the file of each format is written. */
const shapes = new Map<ServerExportFormat, ClientFileShape>(
  clients.flatMap(({ writes }) => (writes?.as == null ? [] : [[writes.as, writes]])),
);

/**
 * Writes servers as VS Code, Claude Code or Claude Desktop reads them, including the keys that an
 * import kept. `losses` lists what the format cannot represent.
 */
export function exportServers(
  servers: readonly ExportedServer[],
  format: ServerExportFormat,
): ServerExport {
  const shape = shapes.get(format);
  if (shape === undefined) throw new Error(`No client reads ${format}.`);
  const losses: ServerExport['losses'] = [];
  const table = new Map<string, JsonObject>();
  const inputs = new Map<string, ServerFileInput>();
  for (const server of servers) {
    const { name, origin } = server;
    // One that an earlier version wrote may hold a credential, which no file gets.
    const { config, extra } = extractSecrets(server.config, origin?.extra ?? {}, {
      server: name,
      taken: new Set(secretNames(server.config)),
    });
    const addLoss = (message: string): void => void losses.push({ server: name, message });
    if (config.transport === 'skills') {
      addLoss('It is a folder of skills and no MCP server, so it is left out.');
      continue;
    }
    if (!shape.remote && config.transport !== 'stdio') {
      addLoss('Claude Desktop supports local servers only; this one is left out.');
      continue;
    }
    table.set(name, { ...extra, ...toEntry(config, shape) });
    for (const input of origin?.inputs ?? []) inputs.set(input.id, input);
    reportLosses(config, extra, shape, addLoss);
  }
  const declared = [...inputs.values()].map((input): JsonObject => ({
    type: 'promptString',
    id: input.id,
    ...(input.description === null ? {} : { description: input.description }),
    ...(input.password ? { password: true } : {}),
    ...(input.default === null ? {} : { default: input.default }),
  }));
  const document = {
    [shape.table]: Object.fromEntries(table),
    ...(shape.inputs && declared.length > 0 ? { inputs: declared } : {}),
  };
  return { fileName: shape.fileName, text: `${JSON.stringify(document, null, 2)}\n`, losses };
}

function toEntry(config: StdioConfig | HttpConfig, { typed }: ClientFileShape): JsonObject {
  // No client documents one name for it; an import reads it again.
  const start: JsonObject =
    config.startTimeoutMs == null ? {} : { startTimeoutMs: config.startTimeoutMs };
  if (config.transport !== 'stdio') {
    const headers: JsonObject =
      Object.keys(config.headers).length > 0 ? { headers: config.headers } : {};
    return {
      type: config.transport === 'sse' ? 'sse' : 'http',
      url: config.url,
      ...headers,
      ...start,
    };
  }
  return {
    ...(typed ? { type: 'stdio' } : {}),
    command: config.command,
    args: config.args,
    ...(config.cwd === null ? {} : { cwd: config.cwd }),
    ...(Object.keys(config.env).length > 0 ? { env: config.env } : {}),
    ...start,
  };
}

/** Reports what the other program may not understand. References are written unchanged. */
function reportLosses(
  config: StdioConfig | HttpConfig,
  extra: JsonObject,
  shape: ClientFileShape,
  addLoss: (message: string) => void,
): void {
  if (config.transport === 'stdio' && config.cwd !== null && !shape.cwd)
    addLoss('Its working folder is included, but the other app may ignore it.');
  if (config.startTimeoutMs != null)
    addLoss('Its start timeout is included as startTimeoutMs, but the other app may ignore it.');
  if (JSON.stringify([config, extra]).includes('${secret:'))
    addLoss(
      'Secrets are written as references, without their values. Enter the values in the other app.',
    );
  const unsupported = referencesIn(config).filter(
    (reference) => !reference.startsWith('${secret:') && !shape.expands(reference),
  );
  if (unsupported.length > 0)
    addLoss(
      `${unsupported.join(', ')} ${unsupported.length > 1 ? 'are' : 'is'} written, but this ` +
        `program does not expand ${unsupported.length > 1 ? 'them' : 'it'}.`,
    );
}
