import { join } from 'node:path';

/** How a client is started once, without a person, with servers and a model of ours. */
export interface ClientCommand {
  id: string;
  package: string;
  /** The id of the client whose installation it is, where that is another one. */
  installed?: string;
  /** What its model calls to see tools that its first request doesn't have. */
  finds?: { tool: string; arguments: object | string };
  /** A step that its installation leaves out without scripts, in its package. */
  install?: string[];
  /** Files of its home folder. */
  files: (
    servers: Readonly<Record<string, StdioCommand>>,
    model: string,
  ) => Record<string, unknown>;
  env: (model: string) => Record<string, string>;
  /** Its own tools that it offers only beside servers. */
  besideServers?: string[];
  /** A tool that it offers only while servers are still starting. */
  waiting?: string;
  /** Further arguments that name the file with the servers, in place of its own configuration. */
  servers?: string[];
  /** The program in `node_modules/.bin`, and its arguments. */
  run: string[];
}
export interface StdioCommand {
  command: string;
  args: string[];
}

/** The request in the arguments of each. */
export const prompt = 'Say done.';
const mapped = <T>(
  servers: Readonly<Record<string, StdioCommand>>,
  change: (server: StdioCommand) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(servers).map(([name, one]) => [name, change(one)]));

/** Codex, which presents tools by the model. */
const codex = (id: string, chosen: string, finds?: ClientCommand['finds']): ClientCommand => ({
  ...{ id, package: '@openai/codex', installed: 'codex' },
  ...(finds !== undefined && { finds }),
  besideServers: ['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'],
  files: (servers, model) => ({
    '.codex/config.toml': [
      `model = "${chosen}"`,
      'model_provider = "local"',
      '[model_providers.local]',
      'name = "local"',
      `base_url = "${model}/v1"`,
      'env_key = "LOCAL_KEY"',
      'wire_api = "responses"',
      ...Object.entries(servers).flatMap(([name, { command, args }]) => [
        `[mcp_servers.${JSON.stringify(name)}]`,
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
      ]),
    ].join('\n'),
  }),
  env: () => ({ LOCAL_KEY: 'none' }),
  run: [
    'codex',
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '--json',
    prompt,
  ],
});
/** Prints what code can call, past the limit of a result. */
const printTools = `// @exec: {"max_output_tokens": 10000000}
text(JSON.stringify(ALL_TOOLS.filter(({ name }) => name.startsWith("mcp__"))))`;

/** The clients that a command line can start, each as its documentation says. */
export const clientCommands: readonly ClientCommand[] = [
  {
    id: 'claude-code',
    package: '@anthropic-ai/claude-code',
    waiting: 'WaitForMcpServers',
    install: ['node', 'install.cjs'],
    files: (servers) => ({ 'mcp.json': { mcpServers: servers } }),
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // As root it refuses to skip its questions otherwise.
      IS_SANDBOX: '1',
      // The first request waits for the servers.
      MCP_CONNECTION_NONBLOCKING: 'false',
    }),
    run: ['claude', '-p', prompt, '--dangerously-skip-permissions', '--model', 'claude-sonnet-4-5'],
    servers: ['--mcp-config', '../mcp.json', '--strict-mcp-config'],
  },
  codex('codex', 'gpt-5'),
  // Every tool of a probe server is found by a word of its instructions.
  codex('codex-gpt-5.5', 'gpt-5.5', {
    tool: 'tool_search',
    arguments: { query: 'INSTRUCTIONS', limit: 1000 },
  }),
  codex('codex-gpt-6.1-sol', 'gpt-6.1-sol', { tool: 'exec', arguments: printTools }),
  {
    id: 'gemini-cli',
    package: '@google/gemini-cli',
    files: (servers) => ({
      '.gemini/settings.json': {
        mcpServers: mapped(servers, (one) => ({ ...one, trust: true })),
        security: { auth: { selectedType: 'gemini-api-key' } },
      },
    }),
    env: (model) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model }),
    run: ['gemini', '-p', prompt, '--yolo', '--skip-trust', '--output-format', 'stream-json'],
  },
  {
    id: 'qwen-code',
    package: '@qwen-code/qwen-code',
    files: (servers) => ({
      // Without it all tools stand behind a search.
      '.qwen/settings.json': {
        mcpServers: mapped(servers, (one) => ({ ...one, trust: true, alwaysLoadTools: true })),
      },
    }),
    env: (model) => ({ OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'm' }),
    run: [
      'qwen',
      '-p',
      prompt,
      '--yolo',
      '--auth-type',
      'openai',
      '--output-format',
      'stream-json',
    ],
  },
  {
    id: 'opencode',
    package: 'opencode-ai',
    install: ['node', 'postinstall.mjs'],
    files: (servers, model) => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            name: 'local',
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: { m: { name: 'm', tool_call: true } },
          },
        },
        model: 'local/m',
        small_model: 'local/m',
        permission: 'allow',
        mcp: mapped(servers, ({ command, args }) => ({
          type: 'local',
          command: [command, ...args],
          enabled: true,
        })),
      },
    }),
    env: () => ({}),
    run: ['opencode', 'run', '--format', 'json', prompt],
  },
  {
    id: 'cline',
    package: 'cline',
    files: (servers, model) => ({
      '.cline/data/settings/cline_mcp_settings.json': { mcpServers: servers },
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: 'none',
              model: 'm',
              baseUrl: `${model}/v1`,
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    env: () => ({ CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1' }),
    run: ['cline', '-P', 'openai-compatible', '--json', prompt],
  },
  {
    id: 'continue',
    package: '@continuedev/cli',
    files: (servers, model) => ({
      'config.yaml': JSON.stringify({
        name: 'probe',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'm',
            provider: 'openai',
            model: 'gpt-4.1',
            apiKey: 'none',
            apiBase: `${model}/v1`,
            roles: ['chat'],
            capabilities: ['tool_use'],
          },
        ],
        mcpServers: Object.entries(servers).map(([name, one]) => ({ name, ...one })),
      }),
    }),
    env: () => ({
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_CLI_AUTO_UPDATED: '1',
      CONTINUE_METRICS_ENABLED: '0',
    }),
    run: ['cn', '--config', '../config.yaml', '-p', '--auto', prompt],
  },
  {
    id: 'copilot-cli',
    package: '@github/copilot',
    files: (servers) => ({
      '.copilot/mcp-config.json': {
        mcpServers: mapped(servers, (one) => ({ type: 'local', tools: ['*'], ...one })),
      },
    }),
    env: (model) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }),
    run: ['copilot', '-p', prompt, '--allow-all-tools'],
  },
];

/** The command of a client that is installed in a folder. */
export const programOf = ({ run: [name = ''] }: ClientCommand, folder: string): string =>
  join(folder, 'node_modules', '.bin', name);

/** The folder of its installation among those of all clients. */
export const folderOf = ({ id, installed }: ClientCommand, clients: string): string =>
  join(clients, installed ?? id);
