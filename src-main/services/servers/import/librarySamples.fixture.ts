import { bearer, sse } from './appSamples.fixture.ts';
import { at, local, remote, signedIn, start, token, type Sample } from './clientSamples.fixture.ts';

/** Files of libraries, agents without a window, workflows and catalogs. */
export const librarySamples: Sample[] = [
  {
    // MCPServerSettings in src/mcp_agent/config.py of lastmile-ai/mcp-agent
    client: 'mcp-agent',
    format: 'mcp-agent',
    file: `execution_engine: asyncio
mcp:
  servers:
    a:
      command: npx
      args: [-y, shop-mcp]
      env: { KEY: k }
      read_timeout_seconds: 30
    b:
      transport: streamable_http
      url: https://mcp.example/mcp
      headers: { Authorization: Bearer T0KENVALUE123 }
      http_timeout_seconds: 30
      roots: [{ uri: file:///x }]
    c:
      transport: sse
      url: https://mcp.example/mcp
      auth: { api_key: T0KENVALUE123 }
`,
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['read_timeout_seconds'] },
      b: { ...signedIn, notCarried: ['http_timeout_seconds', 'roots'] },
      c: { ...signedIn, transport: 'sse' },
    },
  },
  {
    // MCPServerSettings in src/fast_agent/config.py of evalstate/fast-agent
    client: 'fast-agent',
    format: 'mcp-agent',
    file: `default_model: m
mcp:
  targets:
    - name: a
      target: "npx -y shop-mcp"
    - name: b
      target: https://mcp.example/mcp
      access_token: T0KENVALUE123
  servers:
    c:
      transport: http
      url: https://mcp.example/mcp
      headers: { Authorization: "Bearer \${TOKEN:none}" }
      load_on_start: false
      auth: { oauth: true, persist: memory }
    d:
      target: https://mcp.example/sse
`,
    servers: {
      a: local,
      b: signedIn,
      c: {
        ...bearer('${TOKEN:-none}'),
        notCarried: ['load_on_start', 'auth.oauth', 'auth.persist'],
      },
      d: { ...sse, url: 'https://mcp.example/sse' },
    },
  },
  {
    // langchain_mcp_adapters/sessions.py of langchain-ai/langchain-mcp-adapters
    client: 'LangChain',
    format: 'mcp-servers',
    file: {
      a: { transport: 'stdio', ...start, env: { KEY: 'k' }, encoding: 'utf-8' },
      b: {
        transport: 'streamable_http',
        ...at,
        headers: { Authorization: token },
        sse_read_timeout: 300,
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['encoding'] },
      b: { ...signedIn, notCarried: ['sse_read_timeout'] },
    },
  },
  {
    // libs/langchain-mcp-adapters/README.md of langchain-ai/langchainjs
    client: 'LangChain.js',
    format: 'mcp-servers',
    file: {
      throwOnLoadError: true,
      mcpServers: {
        a: { transport: 'stdio', ...start, restart: { enabled: true, maxAttempts: 3 } },
        b: { ...at, headers: { Authorization: token }, automaticSSEFallback: false },
        c: { transport: 'sse', ...at, reconnect: { enabled: true } },
      },
    },
    servers: {
      a: { ...local, notCarried: ['restart.enabled', 'restart.maxAttempts'] },
      b: { ...signedIn, notCarried: ['automaticSSEFallback'] },
      c: { ...sse, notCarried: ['reconnect.enabled'] },
    },
  },
  {
    // https://docs.mcp-use.com/client/client-configuration
    client: 'mcp-use',
    format: 'mcp-servers',
    file: { mcpServers: { b: { ...at, auth_token: 'T0KENVALUE123' } } },
    servers: { b: signedIn },
  },
  {
    // README.md of mistralai/mistral-vibe
    client: 'Mistral Vibe',
    format: 'vibe',
    file: `active_model = "m"
[[mcp_servers]]
name = "a"
transport = "stdio"
command = "npx"
args = ["-y", "shop-mcp"]
env = { "LOG_LEVEL" = "info" }
startup_timeout_sec = 15
tool_timeout_sec = 120

[[mcp_servers]]
name = "b"
transport = "http"
url = "https://mcp.example/mcp"
headers = { "X-Team" = "blue" }
api_key_env = "MY_KEY"
api_key_header = "X-Key"
api_key_format = "Token {token}"

[[mcp_servers]]
name = "c"
transport = "streamable-http"
url = "https://mcp.example/mcp"
api_key_env = "MY_KEY"
`,
    servers: {
      a: {
        ...local,
        env: { LOG_LEVEL: 'info' },
        startTimeoutMs: 15_000,
        notCarried: ['tool_timeout_sec'],
      },
      b: { ...remote, headers: { 'X-Team': 'blue', 'X-Key': 'Token ${MY_KEY}' } },
      c: bearer('${MY_KEY}'),
    },
  },
  {
    // openhands/core/config/mcp_config.py of All-Hands-AI/OpenHands
    client: 'OpenHands',
    format: 'openhands',
    file: `[core]
[mcp]
sse_servers = ["https://mcp.example/mcp", { url = "https://mcp.example/two", api_key = "T0KENVALUE123" }]
shttp_servers = [{ url = "https://mcp.example/mcp", api_key = "T0KENVALUE123" }]
stdio_servers = [{ name = "a", command = "npx", args = ["-y", "shop-mcp"], env = { KEY = "k" } }]
`,
    servers: {
      'server 1': sse,
      'server 2': { ...signedIn, transport: 'sse', url: 'https://mcp.example/two' },
      'server 3': signedIn,
      a: { ...local, env: { KEY: 'k' } },
    },
  },
  {
    // src/lib/types.ts of @huggingface/tiny-agents
    client: 'tiny-agents',
    fileName: 'agent.json',
    format: 'tiny-agents',
    file: {
      model: 'm',
      provider: 'p',
      inputs: [{ type: 'promptString', id: 'hf', description: 'Token', password: true }],
      servers: [
        { type: 'stdio', ...start, env: { KEY: '${input:hf}' } },
        { type: 'http', ...at, headers: { Authorization: 'Bearer ${input:hf}' } },
        { type: 'sse', ...at },
      ],
    },
    servers: {
      'server 1': { ...local, env: { KEY: '${input:hf}' } },
      'server 2': bearer('${input:hf}'),
      'server 3': sse,
    },
  },
  {
    // https://docs.spring.io/spring-ai/reference/api/mcp/mcp-client-boot-starter-docs.html
    client: 'Spring AI',
    format: 'spring-ai',
    file: `spring:
  ai:
    mcp:
      client:
        request-timeout: 30s
        stdio:
          connections:
            a: { command: npx, args: [-y, shop-mcp], env: { KEY: "\${SHOP_KEY:none}" } }
        sse:
          connections:
            b: { url: "https://mcp.example" }
            c: { url: "https://mcp.example", sse-endpoint: "/events?key=k" }
        streamable-http:
          connections:
            d: { url: "https://mcp.example" }
            e: { url: "https://mcp.example", endpoint: /other }
`,
    servers: {
      a: { ...local, env: { KEY: '${SHOP_KEY:-none}' } },
      b: { ...sse, url: 'https://mcp.example/sse' },
      c: { ...sse, url: 'https://mcp.example/events?key=k' },
      d: remote,
      e: { ...remote, url: 'https://mcp.example/other' },
    },
  },
  {
    // nodes/mcp/McpClientTool/McpClientTool.node.ts of n8n-io/n8n; credentials are kept elsewhere
    client: 'a workflow of n8n',
    format: 'n8n',
    file: {
      name: 'My workflow',
      nodes: [
        { name: 'Chat', type: '@n8n/n8n-nodes-langchain.agent', parameters: {} },
        {
          name: 'a',
          type: '@n8n/n8n-nodes-langchain.mcpClientTool',
          typeVersion: 1.1,
          parameters: {
            endpointUrl: remote.url,
            serverTransport: 'httpStreamable',
            authentication: 'bearerAuth',
            include: 'all',
            options: {},
          },
          credentials: { httpBearerAuth: { id: '1', name: 'My token' } },
        },
        {
          name: 'b',
          type: '@n8n/n8n-nodes-langchain.mcpClientTool',
          typeVersion: 1,
          parameters: { sseEndpoint: remote.url },
        },
        {
          name: 'c',
          type: '@n8n/n8n-nodes-langchain.mcpClientTool',
          typeVersion: 1.1,
          parameters: { endpointUrl: remote.url, authentication: 'headerAuth' },
          credentials: { httpHeaderAuth: { id: '2', name: 'My header' } },
        },
      ],
      connections: {},
    },
    servers: {
      a: { ...bearer('${input:My_token}'), notCarried: ['include'] },
      b: sse,
      c: {
        ...sse,
        notCarried: [
          'authentication',
          'credentials.httpHeaderAuth.id',
          'credentials.httpHeaderAuth.name',
        ],
      },
    },
  },
  {
    // docs/server-entry-spec.md of docker/mcp-gateway
    client: 'a catalog of the Docker MCP gateway',
    format: 'docker',
    file: `registry:
  a:
    title: A
    type: server
    image: mcp/a@sha256:1234
    description: x
    command: [--transport=stdio, "{{a.folder}}"]
    volumes: ["{{a.folder}}:/data:ro"]
    user: 1000:1000
    disableNetwork: true
    allowHosts: [api.example:443]
    secrets:
      - { name: a.token, env: A_TOKEN, example: x, description: A token }
    env:
      - { name: A_URL, value: "{{a.url}}" }
      - { name: MODE, value: read }
    config:
      - name: a
        description: x
        type: object
        properties:
          url: { type: string, description: Its address }
          folder: { type: string, default: /srv }
  b:
    type: remote
    remote:
      transport_type: sse
      url: https://mcp.example/mcp
      headers: { Authorization: "Bearer \${B_TOKEN}" }
    secrets:
      - { name: b.token, env: B_TOKEN }
`,
    servers: {
      a: {
        ...local,
        command: 'docker',
        args: [
          'run',
          '-i',
          '--rm',
          '-e',
          'A_URL',
          '-e',
          'MODE',
          '-e',
          'A_TOKEN',
          '-v',
          '${input:a.folder}:/data:ro',
          '-u',
          '1000:1000',
          '--network',
          'none',
          'mcp/a@sha256:1234',
          '--transport=stdio',
          '${input:a.folder}',
        ],
        env: { A_URL: '${input:a.url}', MODE: 'read', A_TOKEN: '${input:a.token}' },
        notCarried: ['allowHosts'],
      },
      b: { ...bearer('${input:b.token}'), transport: 'sse' },
    },
  },
];
