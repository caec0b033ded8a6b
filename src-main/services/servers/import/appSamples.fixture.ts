import { at, local, remote, signedIn, start, token, type Sample } from './clientSamples.fixture.ts';

export const bearer = (reference: string) => ({
  ...remote,
  headers: { Authorization: `Bearer ${reference}` },
});
export const sse = { ...remote, transport: 'sse' };

/** Files of apps, agents and libraries, each as its documentation or its source describes one. */
export const appSamples: Sample[] = [
  {
    // src/services/mcp/schemas.ts of cline/cline: without a type, an address speaks SSE
    client: 'Cline, an older file',
    fileName: 'cline_mcp_settings.json',
    format: 'cline',
    file: {
      mcpServers: {
        a: { transportType: 'stdio', ...start, autoApprove: ['x'], disabled: false },
        b: { ...at, headers: { Authorization: token }, timeout: 60 },
        c: { transportType: 'http', ...at },
      },
    },
    servers: {
      a: { ...local, notCarried: ['autoApprove'] },
      b: { ...signedIn, transport: 'sse', notCarried: ['timeout'] },
      c: remote,
    },
  },
  {
    // https://kiro.dev/docs/mcp/configuration
    client: 'Kiro',
    fileName: '/home/me/.kiro/settings/mcp.json',
    format: 'mcp-servers',
    file: {
      mcpServers: {
        a: {
          ...start,
          env: { A: 'x', B: '${EXPANDED}' },
          disabled: false,
          autoApprove: ['t'],
          disabledTools: ['u'],
        },
        b: { ...at, headers: { Authorization: token }, disabled: true, autoApprove: [] },
      },
    },
    servers: {
      a: {
        ...local,
        env: { A: 'x', B: '${EXPANDED}' },
        notCarried: ['autoApprove', 'disabledTools'],
      },
      b: { ...signedIn, notCarried: ['disabled'] },
    },
  },
  {
    // docs/agent-format.md of aws/amazon-q-developer-cli: `timeout` limits requests
    client: 'an agent of Amazon Q',
    fileName: '/home/me/.aws/amazonq/cli-agents/rust.json',
    format: 'mcp-servers',
    file: {
      name: 'rust',
      description: 'x',
      mcpServers: {
        a: { ...start, env: { KEY: 'k' }, timeout: 120_000 },
        b: { type: 'http', ...at, headers: { Authorization: token } },
      },
      tools: ['@a'],
      useLegacyMcpJson: true,
    },
    servers: { a: { ...local, env: { KEY: 'k' }, notCarried: ['timeout'] }, b: signedIn },
  },
  {
    // packages/kilo-docs/pages/automate/mcp/using-in-kilo-code.md of Kilo-Org/kilocode
    client: 'Kilo Code',
    fileName: 'kilo.jsonc',
    format: 'kilo',
    file: {
      mcp: {
        a: {
          type: 'local',
          command: ['npx', ...local.args],
          environment: { API_KEY: 'k' },
          enabled: true,
          timeout: 10_000,
        },
        b: {
          type: 'remote',
          ...at,
          headers: { Authorization: 'Bearer {env:MY_API_KEY}' },
          enabled: false,
        },
      },
      permission: { 'a_*': 'allow' },
    },
    servers: {
      a: { ...local, env: { API_KEY: 'k' }, startTimeoutMs: 10_000 },
      b: { ...bearer('${MY_API_KEY}'), notCarried: ['enabled'] },
    },
  },
  {
    // the same page, "VSCode (Legacy)"
    client: 'Kilo Code, an older file',
    fileName: '/w/.kilocode/mcp.json',
    format: 'kilo',
    file: {
      mcpServers: {
        a: { ...start, env: { API_KEY: 'k' }, alwaysAllow: ['t'], disabled: false },
        b: { ...at, headers: { Authorization: token }, alwaysAllow: ['t'], disabled: false },
      },
    },
    servers: {
      a: { ...local, env: { API_KEY: 'k' }, notCarried: ['alwaysAllow'] },
      b: { ...signedIn, transport: 'sse', notCarried: ['alwaysAllow'] },
    },
  },
  {
    // docs/users/features/mcp.md of QwenLM/qwen-code: `timeout` limits calls
    client: 'Qwen Code',
    fileName: '/home/me/.qwen/settings.json',
    format: 'gemini',
    file: {
      mcpServers: {
        a: {
          ...start,
          cwd: './x',
          env: { DB: '$DB_CONNECTION', API_KEY: '${EXTERNAL_KEY}' },
          timeout: 15_000,
          discoveryTimeoutMs: 60_000,
        },
        b: { httpUrl: remote.url, headers: { Authorization: token }, trust: true },
        c: { ...at, oauth: { enabled: true, clientSecret: 's3cr3t' } },
      },
    },
    servers: {
      a: {
        ...local,
        cwd: './x',
        env: { DB: '${DB_CONNECTION}', API_KEY: '${EXTERNAL_KEY}' },
        startTimeoutMs: 60_000,
        notCarried: ['timeout'],
      },
      b: { ...signedIn, notCarried: ['trust'] },
      c: { ...sse, notCarried: ['oauth.enabled', 'oauth.clientSecret'] },
    },
  },
  {
    // README.md and internal/config/config.go of charmbracelet/crush: `timeout` is in seconds and
    // limits connecting, headers expand as in a shell
    client: 'Crush',
    format: 'crush',
    file: {
      $schema: 'https://charm.land/crush.json',
      mcp: {
        a: {
          type: 'stdio',
          ...start,
          timeout: 120,
          disabled: false,
          disabled_tools: ['t'],
          env: { NODE_ENV: 'production' },
        },
        b: { type: 'http', ...at, headers: { Authorization: 'Bearer $GH_PAT' } },
        c: { type: 'sse', ...at, headers: { 'API-Key': '$(echo $API_KEY)' } },
      },
    },
    servers: {
      a: {
        ...local,
        env: { NODE_ENV: 'production' },
        startTimeoutMs: 120_000,
        notCarried: ['disabled_tools'],
      },
      b: bearer('${GH_PAT}'),
      c: { ...sse, headers: { 'API-Key': '${input:API-Key}' } },
    },
  },
  {
    // doc/mcp/servers_json.md of ravitemer/mcphub.nvim: an empty variable is the one of its environment
    client: 'MCPHub',
    format: 'mcphub',
    file: {
      mcpServers: {
        a: {
          ...start,
          env: {
            API_KEY: '',
            SERVER: null,
            AUTH: 'Bearer ${API_KEY}',
            TOKEN: '$: cmd:op read op://example/token',
            HOME: '/home/me',
          },
          dev: { watch: ['src'], enabled: true, cwd: '/x' },
          custom_instructions: { disabled: false, text: '' },
        },
        b: { ...at, headers: { Authorization: 'Bearer ${cmd: op read op://example/t}' } },
      },
      nativeMCPServers: {},
    },
    servers: {
      a: {
        ...local,
        env: {
          API_KEY: '${API_KEY}',
          SERVER: '${SERVER}',
          AUTH: 'Bearer ${API_KEY}',
          TOKEN: '${input:TOKEN}',
          HOME: '/home/me',
        },
        notCarried: ['dev.watch', 'dev.enabled', 'dev.cwd', 'custom_instructions.disabled'],
      },
      b: bearer('${input:Authorization}'),
    },
  },
  {
    // https://docs.windsurf.com/windsurf/cascade/mcp
    client: 'Windsurf, with a secret in a file',
    format: 'windsurf',
    file: {
      mcpServers: {
        b: { serverUrl: remote.url, headers: { Authorization: 'Bearer ${file:/run/token}' } },
      },
    },
    servers: { b: bearer('${input:Authorization}') },
  },
  {
    // https://docs.augmentcode.com/setup-augment/mcp
    client: 'Augment in VS Code',
    format: 'augment',
    file: {
      'editor.fontSize': 14,
      'augment.advanced': {
        mcpServers: [
          { name: 'a', ...start, env: { KEY: 'k' } },
          { name: 'b', type: 'http', ...at, headers: { Authorization: token } },
        ],
      },
    },
    servers: { a: { ...local, env: { KEY: 'k' } }, b: signedIn },
  },
  {
    // src-tauri/src/core/mcp/constants.rs of janhq/jan
    client: 'Jan',
    format: 'jan',
    file: {
      mcpServers: {
        a: { ...start, env: { KEY: 'k' }, active: false, official: true },
        b: {
          type: 'http',
          ...at,
          command: '',
          args: [],
          env: {},
          active: true,
          headers: { Authorization: token },
        },
      },
      mcpSettings: { toolCallTimeoutSeconds: 30 },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['active', 'official'] },
      b: signedIn,
    },
  },
  {
    // src/types/mcp.d.ts of nanbingxyz/5ire
    client: '5ire',
    format: '5ire',
    file: {
      servers: [
        {
          key: 'a',
          type: 'local',
          ...start,
          env: { KEY: 'k' },
          isActive: true,
          approvalPolicy: 'once',
        },
      ],
      mcpServers: {
        b: {
          key: 'b',
          type: 'remote',
          ...at,
          headers: { Authorization: token },
          isActive: true,
          proxy: 'http://proxy.example',
          capabilities: [],
        },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['approvalPolicy'] },
      b: { ...signedIn, notCarried: ['proxy'] },
    },
  },
  {
    // server/utils/MCP/hypervisor/index.js of Mintplex-Labs/anything-llm
    client: 'AnythingLLM',
    format: 'mcp-servers',
    file: {
      mcpServers: {
        a: { ...start, env: { KEY: 'k' }, anythingllm: { autoStart: false } },
        b: { type: 'streamable', ...at, headers: { Authorization: token } },
        c: { type: 'sse', ...at },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['anythingllm.autoStart'] },
      b: signedIn,
      c: sse,
    },
  },
  {
    // https://boltai.com/docs/plugins/mcp-servers
    client: 'BoltAI',
    fileName: '/Users/me/.boltai/mcp.json',
    format: 'mcp-servers',
    file: { mcpServers: { a: { ...start, env: { KEY: 'k' } } } },
    servers: { a: { ...local, env: { KEY: 'k' } } },
  },
  {
    // README.md of open-webui/mcpo
    client: 'mcpo',
    format: 'claude-code',
    file: {
      mcpServers: {
        a: { ...start, cwd: '/tmp', disabledTools: ['t'] },
        b: { type: 'sse', ...at, headers: { Authorization: token } },
        c: { type: 'streamable-http', ...at, oauth: { server_url: 'http://localhost:8000' } },
      },
    },
    servers: {
      a: { ...local, cwd: '/tmp', notCarried: ['disabledTools'] },
      b: { ...signedIn, transport: 'sse' },
      c: { ...remote, notCarried: ['oauth.server_url'] },
    },
  },
  {
    // TOOL_SERVER_CONNECTIONS of https://docs.openwebui.com/getting-started/env-configuration
    client: 'Open WebUI',
    format: 'api',
    file: [
      {
        type: 'mcp',
        ...at,
        path: '',
        auth_type: 'bearer',
        key: 'T0KENVALUE123',
        config: { enable: true },
        info: { id: 'x', name: 'a', description: 'x' },
      },
    ],
    servers: { a: { ...signedIn, notCarried: ['config.enable', 'info.id', 'info.description'] } },
  },
  {
    // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
    client: 'a dev container',
    fileName: 'devcontainer.json',
    format: 'vscode',
    file: {
      image: 'x',
      customizations: {
        vscode: { mcp: { servers: { a: { ...start, env: { KEY: 'k' } } } } },
      },
    },
    servers: { a: { ...local, env: { KEY: 'k' } } },
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    client: 'a workspace of VS Code',
    fileName: 'x.code-workspace',
    format: 'vscode',
    file: {
      folders: [],
      settings: {
        mcp: {
          inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }],
          servers: { a: { ...start, sandboxEnabled: true, env: { KEY: '${input:key}' } } },
        },
      },
    },
    servers: { a: { ...local, env: { KEY: '${input:key}' }, notCarried: ['sandboxEnabled'] } },
  },
  {
    // https://learn.microsoft.com/visualstudio/ide/mcp-servers
    client: 'Visual Studio',
    fileName: '.mcp.json',
    format: 'vscode',
    file: { inputs: [], servers: { b: { ...at, headers: { Authorization: token } } } },
    servers: { b: signedIn },
  },
  {
    // https://github.com/google-gemini/gemini-cli/blob/main/docs/extensions/index.md
    client: 'an extension of Gemini CLI',
    fileName: 'gemini-extension.json',
    format: 'gemini',
    file: {
      name: 'x',
      version: '1.0.0',
      mcpServers: { a: { ...start, cwd: '${extensionPath}', env: { KEY: '$KEY' } } },
    },
    servers: { a: { ...local, cwd: '${extensionPath}', env: { KEY: '${KEY}' } } },
  },
  {
    // https://antigravity.google/docs/mcp
    client: 'Antigravity',
    fileName: '/home/me/.gemini/config/mcp_config.json',
    format: 'windsurf',
    file: {
      mcpServers: {
        b: { serverUrl: remote.url, headers: { Authorization: token }, disabledTools: ['t'] },
      },
    },
    servers: { b: { ...signedIn, notCarried: ['disabledTools'] } },
  },
  {
    // packages/data-provider/src/mcp.ts of danny-avila/LibreChat: without a type, an address speaks SSE
    client: 'LibreChat, without a type',
    format: 'librechat',
    file: `version: 1.2.1
mcpServers:
  b: { url: https://mcp.example/mcp, headers: { Authorization: Bearer T0KENVALUE123 }, startup: false }
  c:
    type: http
    url: https://mcp.example/mcp
    apiKey: { source: user, authorization_type: bearer }
endpoints: {}
`,
    servers: {
      b: { ...signedIn, transport: 'sse', notCarried: ['startup'] },
      c: bearer('${input:apiKey}'),
    },
  },
];
