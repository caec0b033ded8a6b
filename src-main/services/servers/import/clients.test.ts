import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import {
  at,
  editorSamples,
  local,
  remote,
  signedIn,
  start,
  token,
  type Sample,
} from './clientSamples.fixture.ts';
import { appSamples } from './appSamples.fixture.ts';
import { librarySamples } from './librarySamples.fixture.ts';
import { planImport } from './planImport.ts';
import { readServerFile } from './readServerFile.ts';

const read = (file: JsonValue, fileName = 'settings.json') => {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return readServerFile({ fileName, text });
};
/** Each server as it is registered, with the paths of what isn't carried. */
const servers = (file: JsonValue, fileName?: string) => {
  const { entries, problems } = read(file, fileName);
  expect(problems).toEqual([]);
  return Object.fromEntries(
    entries.map(({ name, config, notCarried }) => [
      name,
      {
        ...config,
        ...(notCarried.length > 0 && { notCarried }),
      },
    ]),
  );
};
const samples: Sample[] = [
  ...editorSamples,
  ...appSamples,
  ...librarySamples,
  {
    // https://docs.continue.dev/reference#mcpservers, packages/config-yaml/src/schemas/mcp of continuedev/continue
    client: 'Continue',
    format: 'continue',
    file: `name: Mine
version: 0.0.1
schema: v1
mcpServers:
  - name: a
    command: npx
    args: [-y, shop-mcp]
    env: { KEY: "\${{ secrets.SHOP_KEY }}" }
    connectionTimeout: 40000
  - name: b
    type: streamable-http
    url: https://mcp.example/mcp
    faviconUrl: https://mcp.example/i.png
    requestOptions:
      headers: { Authorization: Bearer T0KENVALUE123 }
      verifySsl: false
      proxy: http://proxy.example
  - name: c
    type: sse
    url: https://mcp.example/mcp
    apiKey: T0KENVALUE123
`,
    servers: {
      a: { ...local, env: { KEY: '${secret:SHOP_KEY}' }, startTimeoutMs: 40_000 },
      b: {
        ...signedIn,
        notCarried: ['faviconUrl', 'requestOptions.verifySsl', 'requestOptions.proxy'],
      },
      c: { ...signedIn, transport: 'sse' },
    },
  },
  {
    // the former config.json of Continue: https://docs.continue.dev/reference/json-reference
    client: 'Continue, as JSON',
    format: 'continue',
    file: {
      experimental: {
        modelContextProtocolServers: [{ name: 'a', transport: { type: 'stdio', ...start } }],
      },
    },
    servers: { a: local },
  },
  {
    // documentation/docs/guides/config-files.md and ExtensionConfig of aaif-goose/goose
    client: 'goose',
    format: 'goose',
    file: `GOOSE_MODEL: m
extensions:
  a:
    name: a
    type: stdio
    cmd: npx
    args: [-y, shop-mcp]
    enabled: true
    envs: { MODE: read }
    env_keys: [GITHUB_PERSONAL_ACCESS_TOKEN]
    timeout: 300
    bundled: null
  b:
    name: b
    type: streamable_http
    uri: https://mcp.example/mcp
    headers: { Authorization: Bearer T0KENVALUE123 }
    available_tools: [x]
  developer: { type: builtin, name: developer, enabled: true }
`,
    servers: {
      a: {
        ...local,
        env: { GITHUB_PERSONAL_ACCESS_TOKEN: '${GITHUB_PERSONAL_ACCESS_TOKEN}', MODE: 'read' },
        startTimeoutMs: 300_000,
      },
      b: { ...signedIn, notCarried: ['available_tools'] },
    },
  },
  {
    // https://opencode.ai/v1/docs/mcp-servers and https://opencode.ai/v2/docs/mcp-servers
    client: 'opencode',
    format: 'opencode',
    file: {
      mcp: {
        a: {
          type: 'local',
          command: ['npx', ...local.args],
          environment: { KEY: '{env:KEY}' },
          timeout: 5000,
          enabled: true,
        },
        b: { type: 'remote', ...at, headers: { Authorization: 'Bearer {env:KEY}' }, oauth: false },
      },
    },
    servers: {
      a: { ...local, env: { KEY: '${KEY}' }, startTimeoutMs: 5000 },
      b: { ...remote, headers: { Authorization: 'Bearer ${KEY}' }, notCarried: ['oauth'] },
    },
  },
  {
    client: 'opencode 2',
    format: 'opencode',
    file: {
      mcp: { servers: { a: { type: 'local', command: ['npx', ...local.args], disabled: false } } },
    },
    servers: { a: local },
  },
  {
    // https://zed.dev/docs/ai/mcp
    client: 'Zed',
    format: 'zed',
    file: {
      theme: 'One',
      context_servers: {
        a: { source: 'custom', ...start, env: { KEY: 'k' } },
        b: { command: { path: 'npx', args: local.args, env: { KEY: 'k' } }, settings: { x: 1 } },
        c: { ...at, headers: { Authorization: token } },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' } },
      b: { ...local, env: { KEY: 'k' }, notCarried: ['settings.x'] },
      c: signedIn,
    },
  },
  {
    // https://ampcode.com/manual#mcp
    client: 'Amp',
    format: 'amp',
    file: {
      'amp.mcpServers': {
        a: { ...start, env: { KEY: '${KEY}' }, includeTools: ['x'] },
        b: { ...at, headers: { Authorization: token } },
      },
    },
    servers: { a: { ...local, env: { KEY: '${KEY}' }, notCarried: ['includeTools'] }, b: signedIn },
  },
  {
    // https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers,
    // packages/data-provider/src/mcp.ts of danny-avila/LibreChat
    client: 'LibreChat',
    format: 'librechat',
    file: `version: 1.2.1
mcpServers:
  a:
    type: stdio
    command: npx
    args: [-y, shop-mcp]
    env: { KEY: "\${MY_KEY}" }
    initTimeout: 30000
    timeout: 60000
    chatMenu: false
  b:
    type: streamable-http
    url: https://mcp.example/mcp
    headers:
      X-User-ID: "{{LIBRECHAT_USER_ID}}"
      Authorization: "Bearer {{PAT}}"
    customUserVars:
      PAT: { title: Token, description: your token }
  c:
    type: sse
    url: https://mcp.example/mcp
    apiKey: { source: admin, key: k1, authorization_type: custom, custom_header: X-Key }
`,
    servers: {
      a: {
        ...local,
        env: { KEY: '${MY_KEY}' },
        startTimeoutMs: 30_000,
        notCarried: ['timeout', 'chatMenu'],
      },
      b: {
        ...remote,
        headers: {
          'X-User-ID': '${input:LIBRECHAT_USER_ID}',
          Authorization: 'Bearer ${input:PAT}',
        },
      },
      c: { ...remote, transport: 'sse', headers: { 'X-Key': 'k1' } },
    },
  },
  {
    // https://docs.litellm.ai/docs/mcp, https://docs.litellm.ai/docs/mcp_authentication
    client: 'LiteLLM',
    format: 'litellm',
    file: `model_list: []
mcp_servers:
  none: { url: https://mcp.example/mcp, transport: http, auth_type: none }
  bearer: { url: https://mcp.example/mcp, transport: http, auth_type: bearer_token, auth_value: os.environ/TOKEN }
  older: { url: https://mcp.example/mcp, transport: http, auth_type: bearer_token, authentication_token: T0KENVALUE123 }
  key: { url: https://mcp.example/mcp, transport: http, auth_type: api_key, auth_value: k1 }
  basic: { url: https://mcp.example/mcp, transport: http, auth_type: basic, auth_value: "me:pw" }
  whole: { url: https://mcp.example/mcp, transport: http, auth_type: authorization, auth_value: Bearer T0KENVALUE123 }
  token: { url: https://mcp.example/mcp, transport: http, auth_type: token, auth_value: k1 }
  fixed: { url: https://mcp.example/mcp, static_headers: { X-Key: k1 }, extra_headers: [X-Caller] }
  flow: { url: https://mcp.example/mcp, transport: http, auth_type: oauth2, client_id: c1, client_secret: s1 }
  local: { transport: stdio, command: npx, args: [-y, shop-mcp], env: { CIRCLECI_TOKEN: os.environ/CIRCLE } }
`,
    servers: {
      none: remote,
      bearer: { ...remote, headers: { Authorization: 'Bearer ${TOKEN}' } },
      older: signedIn,
      key: { ...remote, headers: { 'X-API-Key': 'k1' } },
      basic: { ...remote, headers: { Authorization: 'Basic bWU6cHc=' } },
      whole: signedIn,
      token: { ...remote, headers: { Authorization: 'token k1' } },
      fixed: {
        ...remote,
        transport: 'sse',
        headers: { 'X-Key': 'k1' },
        notCarried: ['extra_headers'],
      },
      flow: { ...remote, notCarried: ['auth_type', 'client_id', 'client_secret'] },
      local: { ...local, env: { CIRCLECI_TOKEN: '${CIRCLE}' } },
    },
  },
  {
    // https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/extend-coding-agent-with-mcp
    client: 'Copilot CLI',
    format: 'copilot',
    file: {
      mcpServers: {
        a: { type: 'local', ...start, tools: ['*'], env: { KEY: '$COPILOT_MCP_KEY' } },
        b: {
          type: 'http',
          ...at,
          headers: { Authorization: 'Bearer $COPILOT_MCP_TOKEN' },
          tools: ['*'],
        },
      },
    },
    servers: {
      a: { ...local, env: { KEY: '${COPILOT_MCP_KEY}' }, notCarried: ['tools'] },
      b: {
        ...remote,
        headers: { Authorization: 'Bearer ${COPILOT_MCP_TOKEN}' },
        notCarried: ['tools'],
      },
    },
  },
  {
    // https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html
    client: 'Junie',
    format: 'mcp-servers',
    file: { mcpServers: { a: { ...start, env: { KEY: 'k' } } } },
    servers: { a: { ...local, env: { KEY: 'k' } } },
  },
  {
    // https://docs.warp.dev/knowledge-and-collaboration/mcp
    client: 'Warp',
    format: 'warp',
    file: {
      a: { ...start, env: { KEY: 'k' }, working_directory: '/w', start_on_launch: true },
      b: {
        ...at,
        headers: { Authorization: token },
        start_on_launch: true,
        working_directory: null,
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, cwd: '/w', notCarried: ['start_on_launch'] },
      b: { ...signedIn, notCarried: ['start_on_launch'] },
    },
  },
  {
    // https://docs.cherry-ai.com/advanced-basic/mcp
    client: 'Cherry Studio',
    format: 'cherry-studio',
    file: {
      mcpServers: {
        a: {
          name: 'Shop',
          type: 'stdio',
          isActive: true,
          ...start,
          env: { KEY: 'k' },
          registryUrl: '',
        },
        b: {
          isActive: false,
          type: 'streamableHttp',
          baseUrl: remote.url,
          headers: { Authorization: token },
        },
      },
    },
    servers: {
      a: { ...local, env: { KEY: 'k' }, notCarried: ['name'] },
      b: { ...signedIn, notCarried: ['isActive'] },
    },
  },
  {
    // https://docs.claude.com/en/docs/agents-and-tools/mcp-connector
    client: 'the Messages API',
    format: 'api',
    file: {
      model: 'm',
      mcp_servers: [
        {
          type: 'url',
          name: 'a',
          ...at,
          authorization_token: 'T0KENVALUE123',
          tool_configuration: { enabled: true },
        },
      ],
    },
    servers: { a: { ...signedIn, notCarried: ['tool_configuration.enabled'] } },
  },
  {
    // https://platform.openai.com/docs/guides/tools-connectors-mcp
    client: 'the Responses API',
    format: 'api',
    file: {
      tools: [
        {
          type: 'mcp',
          server_label: 'a',
          server_url: remote.url,
          authorization: 'T0KENVALUE123',
          require_approval: 'never',
        },
      ],
    },
    servers: { a: { ...signedIn, notCarried: ['require_approval'] } },
  },
  {
    // https://github.com/vinhnx/VTCode/wiki/MCP-Integration
    client: 'VT Code',
    format: 'mcp-servers',
    file: `[[mcp.providers]]
name = "a"
command = "npx"
args = ["-y", "shop-mcp"]
startup_timeout_seconds = 90
[[mcp.providers]]
name = "b"
endpoint = "https://mcp.example/mcp"
api_key_env = "FIGMA_TOKEN"
`,
    servers: {
      a: { ...local, startTimeoutMs: 90_000 },
      b: { ...remote, headers: { Authorization: 'Bearer ${FIGMA_TOKEN}' } },
    },
  },
];

describe('configurations of clients', () => {
  it.each(samples)(
    'reads the servers of $client',
    ({ format, file, fileName, servers: expected }) => {
      expect(servers(file, fileName)).toEqual(expected);
      expect(read(file, fileName).format).toBe(format);
    },
  );

  it.each(samples)('hides the credentials of $client', ({ file, fileName }) => {
    const planned = planImport(read(file, fileName), {
      registered: [],
      environment: {},
      secrets: {},
    });
    const stored = JSON.stringify(
      planned.map(({ shown, hidden }) => [shown, hidden?.config, hidden?.extra]),
    );
    expect(stored).not.toMatch(/T0KENVALUE123|s3cr3t|bWU6cHc=/);
  });

  it.each([
    [{ startCommand: { type: 'stdio', commandFunction: 'x' } }, /Smithery.*is not run/],
    ['services:\n  shop:\n    image: mcp/shop\n', /Docker Compose.*run --rm -T SERVICE/],
    [{ name: 'x', nodes: [{ type: 'agent' }] }, /No servers found/],
  ])('says what %j is', (file, message) => {
    expect(read(file).problems[0]?.message).toMatch(message);
  });

  it('reads the entry of one server of a Docker catalog', () => {
    expect(servers('name: a\ntype: server\nimage: mcp/a\nlongLived: true\n')).toEqual({
      a: {
        ...local,
        command: 'docker',
        args: ['run', '-i', '--rm', 'mcp/a'],
        notCarried: ['longLived'],
      },
    });
    const { entries, skipped } = read({
      registry: { a: { type: 'poci', tools: [] }, b: { type: 'server', image: 'mcp/b' } },
    });
    expect(entries).toHaveLength(1);
    expect(skipped[0]?.problem.message).toMatch(/"poci" and has no image/);
  });

  it('skips what is no server: the built-in extensions of goose, a connection by WebSocket', () => {
    const { skipped } = read('extensions:\n  developer:\n    type: builtin\n    name: developer\n');
    expect(skipped).toMatchObject([{ name: 'developer', problem: { line: 3 } }]);
    expect(
      read({
        mcpServers: {
          a: { type: 'ws', url: 'ws://x' },
          b: { url: 'wss://x' },
          c: { type: 'http', command: '' },
        },
      }).skipped.map(({ name }) => name),
    ).toEqual(['a', 'b', 'c']);
  });

  it('says where YAML can’t be read', () => {
    const { problems } = readServerFile({ fileName: 'a.yaml', text: 'mcpServers:\n  a: [\n' });
    expect(problems[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
  });
});
