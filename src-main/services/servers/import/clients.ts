import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type {
  ServerExportFormat,
  ServerFileFormat,
} from '../../../../src-shared/domain/serverImport.ts';
import type { Environment } from '../variables.ts';
import type { EntryRules } from './clientEntry.ts';
import { plainName } from './entrySettings.ts';

/** Entries in a file: by name, or a list of entries that name themselves. */
export interface ServerTable {
  path: JsonPath;
  entries: JsonValue;
  /** The folder of the project that alone uses them. */
  project?: string;
  /** Where the values to enter are declared. */
  inputs?: JsonPath;
}

/** How a client's file is written. */
export interface ClientFileShape {
  fileName: string;
  table: 'mcpServers' | 'servers';
  /** True if a local server says `type: stdio`. */
  typed: boolean;
  /** True if the file may hold servers that are reached by an address. */
  remote: boolean;
  /** True if it declares the values that a person enters. */
  inputs: boolean;
  cwd: boolean;
  expands: (reference: string) => boolean;
}

/** Everything that this program knows of the configuration of a client. */
export interface Client {
  name: string;
  format: ServerFileFormat;
  /** Where the servers are in a file of this client; null if it is none. */
  find?: (root: JsonObject) => ServerTable[] | null;
  rules?: EntryRules;
  /** Where it keeps the file of a person. */
  places?: (folders: Folders) => string[];
  writes?: ClientFileShape & { as: ServerExportFormat | null };
}

export interface Folders {
  home: (...steps: string[]) => string;
  /** Where programs keep their data: `%APPDATA%`, `Application Support` or `~/.config`. */
  data: (...steps: string[]) => string;
  /** `~/.config`, on macOS too. */
  config: (...steps: string[]) => string;
  environment: Environment;
  windows: boolean;
}

const named =
  /^\$\{(?:env|input):|^\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}$/;
const mcpServers: ClientFileShape = {
  fileName: 'mcp.json',
  table: 'mcpServers',
  typed: false,
  remote: true,
  inputs: false,
  cwd: false,
  expands: () => false,
};

const objectAt = (root: JsonObject, ...path: string[]): JsonObject | null => {
  let value: JsonValue | undefined = root;
  for (const step of path) value = isJsonObject(value) ? value[step] : undefined;
  return isJsonObject(value) ? value : null;
};
const tableAt = (root: JsonObject, ...path: string[]): ServerTable[] | null => {
  const entries = objectAt(root, ...path);
  return entries === null ? null : [{ path, entries }];
};
const listAt = (root: JsonObject, path: string[], isEntry: (entry: JsonObject) => boolean) => {
  const key = path.at(-1) ?? '';
  const entries = (path.length === 1 ? root : objectAt(root, ...path.slice(0, -1)))?.[key];
  const isList =
    Array.isArray(entries) && entries.some((each) => isJsonObject(each) && isEntry(each));
  return isList ? [{ path, entries }] : null;
};
const hasAny = (value: JsonObject, ...names: string[]): boolean =>
  Object.keys(value).some((key) => names.includes(plainName(key)));
/** Whether a server of a table has one of these settings, by plain name. */
const someHas = (table: JsonValue | undefined, ...names: string[]): boolean =>
  (isJsonObject(table) ? Object.values(table) : Array.isArray(table) ? table : []).some(
    (entry) => isJsonObject(entry) && hasAny(entry, ...names),
  );
/** `mcpServers`, if the file or an entry has a sign of this client. */
const mcpServersWith =
  (inFile: readonly string[], ...inEntry: string[]) =>
  (root: JsonObject): ServerTable[] | null =>
    isJsonObject(root['mcpServers']) &&
    (inFile.some((key) => key in root) || someHas(root['mcpServers'], ...inEntry))
      ? tableAt(root, 'mcpServers')
      : null;

const isOpencodeEntry = (entry: JsonValue): boolean =>
  isJsonObject(entry) &&
  (entry['type'] === 'local' ||
    entry['type'] === 'remote' ||
    Array.isArray(entry['command']) ||
    entry['environment'] !== undefined);

/**
 * The clients, in the order in which a file is compared with them: those with a place of their own
 * first. Each address is the documentation that the entry follows.
 */
export const clients: readonly Client[] = [
  {
    // https://zed.dev/docs/ai/mcp
    name: 'Zed',
    format: 'zed',
    find: (root) => tableAt(root, 'context_servers'),
    places: ({ config, data, windows }) => [
      windows ? data('Zed', 'settings.json') : config('zed', 'settings.json'),
    ],
  },
  {
    // https://ampcode.com/manual#mcp
    name: 'Amp',
    format: 'amp',
    find: (root) => tableAt(root, 'amp.mcpServers') ?? tableAt(root, 'amp', 'mcpServers'),
    places: ({ config }) => [config('amp', 'settings.json')],
  },
  {
    // https://block.github.io/goose/docs/guides/config-files; `timeout` is in seconds
    name: 'Goose',
    format: 'goose',
    find: (root) =>
      tableAt(root, 'extensions') ??
      listAt(root, ['extensions'], (entry) => hasAny(entry, 'cmd', 'uri', 'type')),
    rules: { startTimes: { timeout: 1000 } },
    places: ({ config, data, windows }) => [
      windows ? data('Block', 'goose', 'config', 'config.yaml') : config('goose', 'config.yaml'),
    ],
  },
  {
    // https://opencode.ai/docs/mcp-servers; `timeout` is how long listing the tools may take, in ms
    name: 'opencode',
    format: 'opencode',
    find: (root) => {
      const inner = objectAt(root, 'mcp', 'servers');
      if (inner !== null)
        return Object.values(inner).some(isOpencodeEntry) ? tableAt(root, 'mcp', 'servers') : null;
      const mcp = objectAt(root, 'mcp');
      return mcp !== null &&
        Object.values(mcp).some(
          (entry) => isJsonObject(entry) && hasAny(entry, 'command', 'url', 'type'),
        )
        ? tableAt(root, 'mcp')
        : null;
    },
    rules: { startTimes: { timeout: 1 } },
    places: ({ config }) => [config('opencode', 'opencode.json')],
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    name: 'VS Code',
    format: 'vscode',
    find: (root) =>
      (isJsonObject(root['server']) ? null : withInputs(tableAt(root, 'servers'), ['inputs'])) ??
      withInputs(tableAt(root, 'mcp', 'servers'), ['mcp', 'inputs']) ??
      withInputs(tableAt(root, 'mcp.servers'), ['mcp.inputs']),
    places: ({ data }) => [data('Code', 'User', 'mcp.json'), data('Code', 'User', 'settings.json')],
    writes: {
      ...mcpServers,
      as: 'mcp.json',
      table: 'servers',
      typed: true,
      inputs: true,
      cwd: true,
      expands: (reference) => named.test(reference),
    },
  },
  {
    name: 'VS Code Insiders',
    format: 'vscode',
    places: ({ data }) => [data('Code - Insiders', 'User', 'mcp.json')],
  },
  {
    // https://docs.continue.dev/reference#mcpservers and packages/config-yaml/src/schemas/mcp of its source
    name: 'Continue',
    format: 'continue',
    find: (root) =>
      (Array.isArray(root['mcpServers']) &&
      !root['mcpServers'].every((each) => typeof each === 'string')
        ? [{ path: ['mcpServers'], entries: root['mcpServers'] }]
        : null) ?? listAt(root, ['experimental', 'modelContextProtocolServers'], () => true),
    places: ({ home }) => [home('.continue', 'config.yaml')],
  },
  {
    // https://docs.litellm.ai/docs/mcp
    name: 'LiteLLM',
    format: 'litellm',
    find: (root) =>
      ['model_list', 'litellm_settings', 'general_settings'].some((key) => key in root) ||
      someHas(
        root['mcp_servers'],
        'authtype',
        'authvalue',
        'staticheaders',
        'transport',
        'specpath',
      )
        ? tableAt(root, 'mcp_servers')
        : null,
    rules: { sseAddresses: ['url'] },
  },
  {
    // https://developers.openai.com/codex/mcp and codex-rs/config/src/mcp_types.rs of its source
    name: 'Codex',
    format: 'codex',
    find: (root) => tableAt(root, 'mcp_servers'),
    places: ({ home, environment }) => [
      environment['CODEX_HOME'] === undefined
        ? home('.codex', 'config.toml')
        : `${environment['CODEX_HOME']}/config.toml`,
    ],
  },
  {
    // The connectors of model APIs: https://docs.claude.com/en/docs/agents-and-tools/mcp-connector,
    // https://platform.openai.com/docs/guides/tools-connectors-mcp
    name: 'Model APIs',
    format: 'api',
    find: (root) =>
      listAt(root, ['mcp_servers'], (entry) => hasAny(entry, 'url', 'command', 'endpoint')) ??
      listAt(root, ['tools'], (entry) => entry['type'] === 'mcp'),
  },
  {
    // https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md; `timeout` limits
    // connecting too, and `url` speaks SSE
    name: 'Gemini CLI',
    format: 'gemini',
    find: mcpServersWith(
      ['selectedAuthType', 'security', 'contextFileName', 'mcp'],
      'httpurl',
      'trust',
      'includetools',
      'excludetools',
      'authprovidertype',
    ),
    rules: { bareVariables: true, startTimes: { timeout: 1 }, sseAddresses: ['url'] },
    places: ({ home }) => [home('.gemini', 'settings.json')],
  },
  {
    // https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp; its files are those of Gemini CLI
    name: 'Qwen Code',
    format: 'gemini',
    places: ({ home }) => [home('.qwen', 'settings.json')],
  },
  {
    // https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers
    name: 'LibreChat',
    format: 'librechat',
    find: mcpServersWith(
      ['endpoints', 'registration', 'mcpSettings', 'interface'],
      'customuservars',
      'chatmenu',
      'serverinstructions',
      'inittimeout',
      'requiresoauth',
    ),
  },
  {
    // https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/extend-coding-agent-with-mcp
    name: 'Copilot CLI',
    format: 'copilot',
    find: (root) =>
      Object.values(objectAt(root, 'mcpServers') ?? {}).some(
        (entry) =>
          isJsonObject(entry) && (entry['type'] === 'local' || Array.isArray(entry['tools'])),
      )
        ? tableAt(root, 'mcpServers')
        : null,
    rules: { bareVariables: true },
    places: ({ home }) => [home('.copilot', 'mcp-config.json')],
  },
  {
    // https://docs.cline.bot/mcp/adding-and-configuring-servers; `timeout` limits calls
    name: 'Cline',
    format: 'cline',
    find: mcpServersWith([], 'autoapprove', 'alwaysallow'),
    places: ({ data }) => [
      data(
        'Code',
        'User',
        'globalStorage',
        'saoudrizwan.claude-dev',
        'settings',
        'cline_mcp_settings.json',
      ),
    ],
  },
  {
    // https://docs.roocode.com/features/mcp/using-mcp-in-roo
    name: 'Roo Code',
    format: 'roo',
    find: mcpServersWith([], 'watchpaths', 'disabledtools'),
    places: ({ data }) => [
      data(
        'Code',
        'User',
        'globalStorage',
        'rooveterinaryinc.roo-cline',
        'settings',
        'mcp_settings.json',
      ),
    ],
  },
  {
    // https://docs.cherry-ai.com/advanced-basic/mcp
    name: 'Cherry Studio',
    format: 'cherry-studio',
    find: mcpServersWith([], 'isactive', 'baseurl'),
  },
  {
    // https://docs.warp.dev/knowledge-and-collaboration/mcp
    name: 'Warp',
    format: 'warp',
    find: (root) =>
      mcpServersWith([], 'startonlaunch', 'workingdirectory')(root) ??
      (someHas(root, 'startonlaunch') ? [{ path: [], entries: root }] : null),
  },
  {
    // https://docs.windsurf.com/windsurf/cascade/mcp
    name: 'Windsurf',
    format: 'windsurf',
    find: mcpServersWith([], 'serverurl'),
    places: ({ home }) => [home('.codeium', 'windsurf', 'mcp_config.json')],
  },
  {
    // https://code.claude.com/docs/en/mcp; ~/.claude.json has more servers under each project
    name: 'Claude Code',
    format: 'claude-code',
    find: (root) => {
      const projects = Object.entries(objectAt(root, 'projects') ?? {}).flatMap(
        ([folder, project]): ServerTable[] =>
          isJsonObject(project) && isJsonObject(project['mcpServers'])
            ? [
                {
                  path: ['projects', folder, 'mcpServers'],
                  entries: project['mcpServers'],
                  project: folder,
                },
              ]
            : [],
      );
      const isPlugin =
        isJsonObject(root['mcpServers']) &&
        typeof root['name'] === 'string' &&
        typeof root['version'] === 'string';
      return projects.length > 0 || isPlugin || someHas(root['mcpServers'], 'type')
        ? [...(tableAt(root, 'mcpServers') ?? []), ...projects]
        : null;
    },
    places: ({ home }) => [home('.claude.json')],
    writes: {
      ...mcpServers,
      as: '.mcp.json',
      fileName: '.mcp.json',
      typed: true,
      expands: (reference) => !named.test(reference),
    },
  },
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    name: 'Claude Desktop',
    format: 'mcp-servers',
    find: ({ mcpServers: entries }) =>
      entries === undefined ? null : [{ path: ['mcpServers'], entries }],
    places: ({ data }) => [data('Claude', 'claude_desktop_config.json')],
    writes: {
      ...mcpServers,
      as: 'claude-desktop',
      fileName: 'claude_desktop_config.json',
      remote: false,
    },
  },
  {
    // https://cursor.com/docs/context/mcp
    name: 'Cursor',
    format: 'mcp-servers',
    places: ({ home }) => [home('.cursor', 'mcp.json')],
    writes: { ...mcpServers, as: null },
  },
  {
    // https://lmstudio.ai/docs/app/mcp
    name: 'LM Studio',
    format: 'mcp-servers',
    places: ({ home }) => [home('.lmstudio', 'mcp.json')],
  },
  {
    // https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html
    name: 'Junie',
    format: 'mcp-servers',
    places: ({ home }) => [home('.junie', 'mcp', 'mcp.json')],
  },
];

const withInputs = (tables: ServerTable[] | null, inputs: JsonPath): ServerTable[] | null =>
  tables?.map((table) => ({ ...table, inputs })) ?? null;

/** How the file of a client is written, by its name. */
export function fileShapeOf(client: string): ClientFileShape {
  const found = clients.find(({ name }) => name === client)?.writes;
  if (found === undefined) throw new Error(`How ${client} writes servers is not known.`);
  return found;
}
