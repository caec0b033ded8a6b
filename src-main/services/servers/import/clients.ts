import { mcpClientLabels, type McpClient } from '../../../../src-shared/domain/clientConfig.ts';
import { clineFile, extensionFile, fileIn } from './clientPlaces.ts';
import {
  claudeCodeTables,
  copilotTables,
  crushTables,
  fiveIreTables,
  firstOf,
  inFileWith,
  listAt,
  listWith,
  mcpAgentTables,
  mcpServersWith,
  n8nTables,
  opencodeTables,
  openHandsTables,
  springTables,
  tableAt,
  tableWith,
  withInputs,
  type Client,
  type ClientFileShape,
} from './findTables.ts';

const named =
  /^\$\{(?:env|input):|^\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}$/;
const mcpServers: ClientFileShape = {
  as: null,
  fileName: 'mcp.json',
  table: 'mcpServers',
  command: 'split',
  syntax: 'json',
  typed: false,
  remote: true,
  inputs: false,
  cwd: false,
  expands: () => false,
};
const plain = { format: 'mcp-servers' } as const;

/**
 * The clients, in the order in which a file is compared with them: those with a place of their own
 * first. Each source is what the row follows: documentation, or a file of the client's repository.
 */
export const clients: readonly Client[] = [
  {
    // https://zed.dev/docs/ai/mcp
    name: 'Zed',
    format: 'zed',
    find: tableAt('context_servers'),
    places: ({ config, data, windows }) => [
      windows ? data('Zed', 'settings.json') : config('zed', 'settings.json'),
    ],
  },
  {
    // https://ampcode.com/manual#mcp
    name: 'Amp',
    format: 'amp',
    find: firstOf(tableAt('amp.mcpServers'), tableAt('amp', 'mcpServers')),
    places: ({ config }) => [config('amp', 'settings.json')],
  },
  {
    // https://docs.augmentcode.com/setup-augment/mcp, https://docs.augmentcode.com/cli/integrations
    name: 'Augment',
    format: 'augment',
    find: firstOf(
      listAt(['augment.advanced', 'mcpServers'], () => true),
      listAt(['augment.advanced.mcpServers'], () => true),
    ),
    places: ({ home }) => [home('.augment', 'settings.json')],
  },
  {
    // documentation/docs/guides/config-files.md of aaif-goose/goose; `timeout` is in seconds
    name: mcpClientLabels.goose,
    format: 'goose',
    find: firstOf(tableAt('extensions'), listWith(['extensions'], 'cmd', 'uri', 'type')),
    rules: { startTimes: { timeout: 1000 } },
    places: ({ config, data, windows }) => [
      windows ? data('Block', 'goose', 'config', 'config.yaml') : config('goose', 'config.yaml'),
    ],
    writes: {
      ...{ ...mcpServers, fileName: 'config.yaml', table: 'extensions' },
      ...{ command: 'cmd', syntax: 'yaml' },
    },
  },
  {
    // README.md of charmbracelet/crush; `timeout` is in seconds and limits connecting
    name: 'Crush',
    format: 'crush',
    files: /(?:^|[\\/])\.?crush\.json$/,
    find: crushTables,
    rules: { bareVariables: true, commands: true, startTimes: { timeout: 1000 } },
    places: ({ config }) => [config('crush', 'crush.json')],
  },
  {
    // https://opencode.ai/docs/mcp-servers; `timeout` is how long listing the tools may take, in ms
    name: 'opencode',
    format: 'opencode',
    find: opencodeTables,
    rules: { startTimes: { timeout: 1 } },
    places: ({ config }) => [
      config('opencode', 'opencode.json'),
      config('opencode', 'opencode.jsonc'),
    ],
    writes: { ...mcpServers, fileName: 'opencode.json', table: 'mcp', command: 'list' },
  },
  {
    // packages/kilo-docs/pages/automate/mcp of Kilo-Org/kilocode; in an older file, an address
    // without a type speaks SSE
    name: 'Kilo Code',
    format: 'kilo',
    files: /(?:^|[\\/])(?:kilo\.jsonc?|\.kilocode[\\/]mcp\.json)$|kilocode\.kilo-code/,
    find: opencodeTables,
    rules: { startTimes: { timeout: 1 } },
    fileRules: { sseAddresses: ['url'] },
    places: (folders) => [
      folders.config('kilo', 'kilo.json'),
      folders.config('kilo', 'kilo.jsonc'),
      extensionFile('kilocode.kilo-code', 'mcp_settings.json')(folders),
    ],
  },
  {
    // src/mcp_agent/config.py of lastmile-ai/mcp-agent, src/fast_agent/config.py of evalstate/fast-agent
    name: 'mcp-agent',
    format: 'mcp-agent',
    find: mcpAgentTables,
  },
  {
    // https://docs.openhands.dev/openhands/usage/settings/mcp-settings
    name: 'OpenHands',
    format: 'openhands',
    find: openHandsTables,
  },
  {
    // https://docs.spring.io/spring-ai/reference/api/mcp/mcp-client-boot-starter-docs.html
    name: 'Spring AI',
    format: 'spring-ai',
    find: springTables,
  },
  {
    // nodes/mcp of packages/@n8n/nodes-langchain of n8n-io/n8n
    name: 'n8n',
    format: 'n8n',
    find: n8nTables,
  },
  {
    // https://huggingface.co/docs/huggingface.js/tiny-agents/README
    name: 'tiny-agents',
    format: 'tiny-agents',
    find: withInputs(['inputs'], inFileWith(['model'], listWith(['servers'], 'type', 'command'))),
  },
  {
    // src/types/mcp.d.ts of nanbingxyz/5ire
    name: '5ire',
    format: '5ire',
    find: fiveIreTables,
    places: ({ data }) => [data('5ire', 'mcp.json')],
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    name: mcpClientLabels.vscode,
    format: 'vscode',
    find: firstOf(
      (root) =>
        typeof root['server'] === 'object'
          ? null
          : withInputs(['inputs'], tableAt('servers'))(root),
      withInputs(['mcp', 'inputs'], tableAt('mcp', 'servers')),
      withInputs(['mcp.inputs'], tableAt('mcp.servers')),
      withInputs(['settings', 'mcp', 'inputs'], tableAt('settings', 'mcp', 'servers')),
      withInputs(
        ['customizations', 'vscode', 'mcp', 'inputs'],
        tableAt('customizations', 'vscode', 'mcp', 'servers'),
      ),
    ),
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
    // https://learn.microsoft.com/visualstudio/ide/mcp-servers; its files are those of VS Code
    name: 'Visual Studio',
    format: 'vscode',
    places: ({ home, windows }) => (windows ? [home('.mcp.json')] : []),
  },
  {
    // https://docs.continue.dev/reference#mcpservers and packages/config-yaml/src/schemas/mcp of its source
    name: 'Continue',
    format: 'continue',
    find: firstOf(
      ({ mcpServers: entries }) =>
        Array.isArray(entries) && !entries.every((each) => typeof each === 'string')
          ? [{ path: ['mcpServers'], entries }]
          : null,
      listAt(['experimental', 'modelContextProtocolServers'], () => true),
    ),
    places: ({ home }) => [home('.continue', 'config.yaml')],
    writes: {
      ...mcpServers,
      fileName: 'config.yaml',
      syntax: 'yaml',
      list: ['name: Local Config', 'version: 1.0.0', 'schema: v1'],
      // core/config/profile/doLoadConfig.ts of its source
      insteadOf: 'config.json',
    },
  },
  {
    // https://docs.litellm.ai/docs/mcp
    name: 'LiteLLM',
    format: 'litellm',
    find: firstOf(
      inFileWith(['model_list', 'litellm_settings', 'general_settings'], tableAt('mcp_servers')),
      tableWith(['mcp_servers'], 'authtype', 'authvalue', 'staticheaders', 'transport', 'specpath'),
    ),
    rules: { sseAddresses: ['url'] },
  },
  {
    // https://developers.openai.com/codex/mcp and codex-rs/config/src/mcp_types.rs of its source
    name: 'Codex',
    format: 'codex',
    find: tableAt('mcp_servers'),
    places: (folders) => [fileIn('CODEX_HOME', '.codex', 'config.toml')(folders)],
    writes: { ...mcpServers, fileName: 'config.toml', table: 'mcp_servers', syntax: 'toml' },
  },
  {
    // README.md of mistralai/mistral-vibe
    name: 'Mistral Vibe',
    format: 'vibe',
    find: firstOf(
      listWith(['mcp_servers'], 'transport', 'apikeyenv', 'startuptimeoutsec'),
      inFileWith(
        ['active_model'],
        listAt(['mcp_servers'], () => true),
      ),
    ),
    places: (folders) => [fileIn('VIBE_HOME', '.vibe', 'config.toml')(folders)],
  },
  {
    // The connectors of model APIs: https://docs.claude.com/en/docs/agents-and-tools/mcp-connector,
    // https://platform.openai.com/docs/guides/tools-connectors-mcp
    name: 'Model APIs',
    format: 'api',
    find: firstOf(
      listWith(['mcp_servers'], 'url', 'command', 'endpoint'),
      listAt(['tools'], (entry) => entry['type'] === 'mcp'),
    ),
  },
  {
    // docs/users/features/mcp.md of QwenLM/qwen-code; other than in Gemini CLI, `timeout` limits calls
    name: 'Qwen Code',
    format: 'gemini',
    files: /\.qwen[\\/]settings\.json$|qwen-extension\.json$/,
    find: mcpServersWith([], 'discoverytimeoutms', 'versionnegotiation'),
    rules: { bareVariables: true, sseAddresses: ['url'] },
    places: ({ home }) => [home('.qwen', 'settings.json')],
    writes: { ...mcpServers, fileName: 'settings.json' },
  },
  {
    // https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md; `timeout` limits
    // connecting too, and `url` speaks SSE
    name: 'Gemini CLI',
    format: 'gemini',
    files: /\.gemini[\\/]settings\.json$|gemini-extension\.json$/,
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
    writes: { ...mcpServers, fileName: 'settings.json' },
  },
  {
    // src-tauri/src/core/mcp/constants.rs of janhq/jan
    name: 'Jan',
    format: 'jan',
    find: mcpServersWith([], 'active', 'official'),
    places: ({ data }) => [data('Jan', 'data', 'mcp_config.json')],
  },
  {
    // packages/data-provider/src/mcp.ts of danny-avila/LibreChat; an address without a type speaks SSE
    name: 'LibreChat',
    format: 'librechat',
    files: /librechat\.ya?ml$/,
    find: mcpServersWith(
      ['endpoints', 'registration', 'mcpSettings', 'interface'],
      'customuservars',
      'chatmenu',
      'serverinstructions',
      'inittimeout',
      'requiresoauth',
    ),
    rules: { sseAddresses: ['url'] },
  },
  {
    // https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/extend-coding-agent-with-mcp
    name: 'Copilot CLI',
    format: 'copilot',
    find: copilotTables,
    rules: { bareVariables: true },
    places: ({ home }) => [home('.copilot', 'mcp-config.json')],
  },
  {
    // doc/mcp/servers_json.md of ravitemer/mcphub.nvim
    name: 'MCPHub',
    format: 'mcphub',
    files: /mcphub[\\/]servers\.json$/,
    find: mcpServersWith(['nativeMCPServers'], 'custominstructions'),
    rules: { inheritsEmpty: true },
    places: ({ config }) => [config('mcphub', 'servers.json')],
  },
  {
    // server/utils/MCP/hypervisor/index.js of Mintplex-Labs/anything-llm
    name: 'AnythingLLM',
    ...plain,
    files: /anythingllm_mcp_servers\.json$/,
    find: mcpServersWith([], 'anythingllm'),
    rules: { sseAddresses: ['url'] },
    places: ({ data }) => [
      data('anythingllm-desktop', 'storage', 'plugins', 'anythingllm_mcp_servers.json'),
    ],
  },
  {
    // docs/agent-format.md of aws/amazon-q-developer-cli,
    // https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html; `timeout` limits requests
    name: 'Amazon Q',
    ...plain,
    files: /[\\/]\.?(?:amazonq)[\\/](?:(?:cli-)?agents[\\/])?[^\\/]+\.json$/,
    places: ({ home }) => [
      home('.aws', 'amazonq', 'mcp.json'),
      home('.aws', 'amazonq', 'default.json'),
      home('.aws', 'amazonq', 'agents', 'default.json'),
    ],
  },
  {
    // https://kiro.dev/docs/mcp/configuration
    name: 'Kiro',
    ...plain,
    files: /\.kiro[\\/]settings[\\/]mcp\.json$/,
    places: ({ home }) => [home('.kiro', 'settings', 'mcp.json')],
  },
  {
    // https://docs.roocode.com/features/mcp/using-mcp-in-roo
    name: 'Roo Code',
    format: 'roo',
    files: /\.roo[\\/]mcp\.json$|rooveterinaryinc\.roo-cline/,
    find: mcpServersWith([], 'watchpaths'),
    places: (folders) => [
      extensionFile('rooveterinaryinc.roo-cline', 'mcp_settings.json')(folders),
    ],
  },
  {
    // https://docs.cline.bot/mcp/adding-and-configuring-servers, src/services/mcp/schemas.ts and
    // sdk/packages/shared/src/storage/paths.ts of cline/cline; `timeout` limits calls, and in its own
    // file an address without a type speaks SSE
    name: 'Cline',
    format: 'cline',
    files: /cline_mcp_settings\.json$/,
    find: mcpServersWith([], 'autoapprove', 'alwaysallow'),
    fileRules: { sseAddresses: ['url'] },
    places: (folders) => [
      clineFile(folders),
      // Versions of the extension before it shared a file with the command line.
      extensionFile('saoudrizwan.claude-dev', 'cline_mcp_settings.json')(folders),
    ],
    writes: { ...mcpServers, fileName: 'cline_mcp_settings.json', hasOlderPlace: true },
  },
  {
    // src/renderer/src/types/mcp.ts of CherryHQ/cherry-studio; `timeout` limits requests
    name: 'Cherry Studio',
    format: 'cherry-studio',
    find: mcpServersWith([], 'isactive', 'baseurl'),
  },
  {
    // https://docs.warp.dev/knowledge-and-collaboration/mcp
    name: 'Warp',
    format: 'warp',
    find: firstOf(
      mcpServersWith([], 'startonlaunch', 'workingdirectory'),
      tableWith([], 'startonlaunch'),
    ),
  },
  {
    // https://docs.windsurf.com/windsurf/cascade/mcp
    name: 'Windsurf',
    format: 'windsurf',
    files: /\.codeium[\\/](?:windsurf[\\/])?mcp_config\.json$/,
    find: mcpServersWith([], 'serverurl'),
    places: ({ home }) => [
      home('.codeium', 'windsurf', 'mcp_config.json'),
      home('.codeium', 'mcp_config.json'),
    ],
    writes: { ...mcpServers, fileName: 'mcp_config.json' },
  },
  {
    // https://antigravity.google/docs/mcp; its files are those of Windsurf
    name: 'Antigravity',
    format: 'windsurf',
    files: /\.gemini[\\/](?:config|antigravity)[\\/]mcp_config\.json$/,
    places: ({ home }) => [
      home('.gemini', 'config', 'mcp_config.json'),
      home('.gemini', 'antigravity', 'mcp_config.json'),
    ],
  },
  {
    // https://code.claude.com/docs/en/mcp; ~/.claude.json has more servers under each project
    name: 'Claude Code',
    format: 'claude-code',
    find: claudeCodeTables,
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
    name: mcpClientLabels.claude,
    ...plain,
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
    name: mcpClientLabels.cursor,
    ...plain,
    places: ({ home }) => [home('.cursor', 'mcp.json')],
    writes: mcpServers,
  },
  {
    // https://lmstudio.ai/docs/app/mcp
    name: 'LM Studio',
    ...plain,
    places: ({ home }) => [home('.lmstudio', 'mcp.json')],
  },
  {
    // https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html
    name: 'Junie',
    ...plain,
    places: ({ home }) => [home('.junie', 'mcp', 'mcp.json')],
  },
  {
    // Issue 92 of pathintegral-institute/mcpm.sh shows a file
    name: 'Trae',
    ...plain,
    places: ({ data }) => [data('Trae', 'User', 'mcp.json')],
  },
  {
    // src/config/clients.ts of smithery-ai/cli
    name: 'BoltAI',
    ...plain,
    places: ({ home }) => [home('.boltai', 'mcp.json')],
  },
];

export function fileShapeOf(client: McpClient): ClientFileShape {
  const found = clients.find(({ name }) => name === mcpClientLabels[client])?.writes;
  if (found === undefined) throw new Error(`How ${client} writes servers is not known.`);
  return found;
}
