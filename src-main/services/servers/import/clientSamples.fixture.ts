import type { JsonValue } from '../../../../src-shared/domain/json.ts';

export const local = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'shop-mcp'],
  cwd: null,
  env: {},
};
export const remote = { transport: 'streamable-http', url: 'https://mcp.example/mcp', headers: {} };
export const token = 'Bearer T0KENVALUE123';
export const signedIn = { ...remote, headers: { Authorization: token } };
export const start = { command: 'npx', args: local.args };
export const at = { url: remote.url };

export interface Sample {
  client: string;
  /** The file's name, where it tells the client. */
  fileName?: string;
  format: string;
  file: JsonValue;
  servers: Record<string, object>;
}

/** A file of each client as its documentation describes one, with every way to sign in. */
export const editorSamples: Sample[] = [
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    client: 'Claude Desktop',
    format: 'mcp-servers',
    file: { globalShortcut: '', mcpServers: { a: { ...start, env: { API_KEY: 'k' } } } },
    servers: { a: { ...local, env: { API_KEY: 'k' } } },
  },
  {
    // https://code.claude.com/docs/en/mcp
    client: 'Claude Code',
    format: 'claude-code',
    file: {
      mcpServers: {
        a: { type: 'stdio', ...start, env: { KEY: '${KEY:-none}' }, timeout: 60_000 },
        b: {
          type: 'http',
          ...at,
          headers: { Authorization: 'Bearer ${TOKEN}' },
          headersHelper: './get.sh',
        },
        c: { type: 'sse', ...at, oauth: { clientId: 'c1', callbackPort: 8080 } },
      },
    },
    servers: {
      a: { ...local, env: { KEY: '${KEY:-none}' }, notCarried: ['timeout'] },
      b: {
        ...remote,
        headers: { Authorization: 'Bearer ${TOKEN}' },
        notCarried: ['headersHelper'],
      },
      c: { ...remote, transport: 'sse', notCarried: ['oauth.clientId', 'oauth.callbackPort'] },
    },
  },
  {
    // https://code.claude.com/docs/en/plugins-reference
    client: 'a plugin of Claude Code',
    format: 'claude-code',
    file: {
      name: 'my-plugin',
      version: '1.0.0',
      mcpServers: {
        a: {
          command: '${CLAUDE_PLUGIN_ROOT}/server',
          args: ['--config', '${CLAUDE_PLUGIN_ROOT}/c.json'],
        },
      },
    },
    servers: {
      a: {
        ...local,
        command: '${CLAUDE_PLUGIN_ROOT}/server',
        args: ['--config', '${CLAUDE_PLUGIN_ROOT}/c.json'],
      },
    },
  },
  {
    // https://developers.openai.com/codex/mcp, codex-rs/config/src/mcp_types.rs of openai/codex
    client: 'Codex',
    format: 'codex',
    file: `[mcp_servers.a]
command = "npx"
args = ["-y", "shop-mcp"]
env_vars = ["HOME_KEY", { name = "FAR_KEY", source = "local" }]
startup_timeout_sec = 45.5
tool_timeout_sec = 60
enabled = true
enabled_tools = ["one"]
[mcp_servers.a.env]
MODE = "read"
[mcp_servers.b]
url = "https://mcp.example/mcp"
bearer_token_env_var = "TRACKER_TOKEN"
http_headers = { "X-Team" = "blue" }
env_http_headers = { "X-Key" = "TEAM_KEY" }
startup_timeout_ms = 20000
required = true
`,
    servers: {
      a: {
        ...local,
        env: { HOME_KEY: '${HOME_KEY}', FAR_KEY: '${FAR_KEY}', MODE: 'read' },
        startTimeoutMs: 45_500,
        notCarried: ['tool_timeout_sec', 'enabled_tools'],
      },
      b: {
        ...remote,
        headers: {
          'X-Team': 'blue',
          'X-Key': '${TEAM_KEY}',
          Authorization: 'Bearer ${TRACKER_TOKEN}',
        },
        startTimeoutMs: 20_000,
        notCarried: ['required'],
      },
    },
  },
  {
    // https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
    client: 'Gemini CLI',
    format: 'gemini',
    file: {
      mcpServers: {
        a: { ...start, env: { API_KEY: '$MY_KEY' }, cwd: './dir', timeout: 30_000, trust: false },
        b: {
          httpUrl: remote.url,
          headers: { Authorization: 'Bearer ${KEY}' },
          includeTools: ['x'],
        },
        c: {
          url: 'http://localhost:8080/events',
          authProviderType: 'google_credentials',
          oauth: { scopes: ['s'] },
        },
      },
    },
    servers: {
      a: {
        ...local,
        env: { API_KEY: '${MY_KEY}' },
        cwd: './dir',
        startTimeoutMs: 30_000,
        notCarried: ['trust'],
      },
      b: { ...remote, headers: { Authorization: 'Bearer ${KEY}' }, notCarried: ['includeTools'] },
      c: {
        transport: 'sse',
        url: 'http://localhost:8080/events',
        headers: {},
        notCarried: ['authProviderType', 'oauth.scopes'],
      },
    },
  },
  {
    // https://cursor.com/docs/context/mcp
    client: 'Cursor',
    format: 'claude-code',
    file: {
      mcpServers: {
        a: { type: 'stdio', ...start, env: { API_KEY: '${env:KEY}' }, envFile: '.env' },
        b: {
          ...at,
          headers: { Authorization: 'Bearer ${env:TOKEN}' },
          auth: { CLIENT_ID: '${env:ID}', CLIENT_SECRET: 's3cr3t' },
        },
      },
    },
    servers: {
      a: { ...local, env: { API_KEY: '${env:KEY}' }, notCarried: ['envFile'] },
      b: {
        ...remote,
        headers: { Authorization: 'Bearer ${env:TOKEN}' },
        notCarried: ['auth.CLIENT_ID', 'auth.CLIENT_SECRET'],
      },
    },
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    client: 'VS Code',
    format: 'vscode',
    file: {
      inputs: [
        { type: 'promptString', id: 'key', description: 'Key', password: true },
        { type: 'pickString', id: 'region', options: ['eu', 'us'], default: 'eu' },
      ],
      servers: {
        a: {
          type: 'stdio',
          ...start,
          env: { KEY: '${input:key}', REGION: '${input:region}', SITE: '${config:shop.site}' },
          envFile: '${workspaceFolder}/.env',
          dev: { watch: 'src/**' },
        },
        b: { type: 'http', ...at, headers: { Authorization: 'Bearer ${input:key}' } },
      },
    },
    servers: {
      a: {
        ...local,
        env: { KEY: '${input:key}', REGION: '${input:region}', SITE: '${input:shop.site}' },
        notCarried: ['envFile', 'dev.watch', 'inputs.region.options'],
      },
      b: { ...remote, headers: { Authorization: 'Bearer ${input:key}' } },
    },
  },
  {
    // https://docs.windsurf.com/windsurf/cascade/mcp
    client: 'Windsurf',
    format: 'windsurf',
    file: {
      mcpServers: {
        a: { ...start, env: { KEY: 'k' } },
        b: { serverUrl: remote.url, headers: { API_KEY: 'Bearer ${env:AUTH}' } },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' } },
      b: { ...remote, headers: { API_KEY: 'Bearer ${env:AUTH}' } },
    },
  },
  {
    // https://docs.cline.bot/mcp/adding-and-configuring-servers
    client: 'Cline',
    format: 'cline',
    file: {
      mcpServers: {
        a: { ...start, env: { KEY: 'k' }, alwaysAllow: ['x'], disabled: false, timeout: 60 },
        b: { ...at, type: 'streamableHttp', headers: { Authorization: token }, disabled: true },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['alwaysAllow', 'timeout'] },
      b: { ...signedIn, notCarried: ['disabled'] },
    },
  },
  {
    // sdk/packages/core/src/extensions/mcp/config-loader.ts of cline/cline
    client: 'Cline, as `cline mcp add` writes',
    fileName: 'cline_mcp_settings.json',
    format: 'cline',
    file: {
      mcpServers: {
        a: { transport: { type: 'stdio', ...start, env: { KEY: 'k' } }, disabled: false },
        b: { transport: { type: 'streamableHttp', ...at, headers: { Authorization: token } } },
      },
    },
    servers: { a: { ...local, env: { KEY: 'k' } }, b: signedIn },
  },
  {
    // https://docs.roocode.com/features/mcp/using-mcp-in-roo
    client: 'Roo Code',
    format: 'roo',
    file: {
      mcpServers: {
        a: {
          ...start,
          cwd: '/w',
          env: { KEY: '${env:KEY}' },
          watchPaths: ['b.js'],
          disabledTools: ['t'],
        },
        b: { type: 'streamable-http', ...at, headers: { 'X-API-Key': 'k' } },
      },
    },
    servers: {
      a: {
        ...local,
        cwd: '/w',
        env: { KEY: '${env:KEY}' },
        notCarried: ['watchPaths', 'disabledTools'],
      },
      b: { ...remote, headers: { 'X-API-Key': 'k' } },
    },
  },
];
