import { zipSync, strToU8 } from 'fflate';

/** One text of each format, by its published rules; none is taken from anywhere. */
export const fileTexts = {
  claudeDesktop: `{
    // written by hand
    "mcpServers": {
      "files": { "command": "npx", "args": ["-y", "@example/files@1.2.3", "/data/my notes"], "env": { "API_KEY": "very-hidden", "LEVEL": "info" } },
    },
    "globalShortcut": "",
  }`,
  claudeCode: `{ "mcpServers": {
    "db": { "type": "stdio", "command": "\${BIN:-db-server}", "args": ["--url", "\${DB_URL}"], "env": {} },
    "search": { "type": "http", "url": "\${BASE:-https://search.example}/mcp", "headers": { "Authorization": "Bearer \${SEARCH_TOKEN}" }, "timeout": 600 } } }`,
  claudeHome: `{ "numStartups": 3, "mcpServers": { "notes": { "command": "notes" } },
    "projects": { "/work/shop": { "mcpServers": { "notes": { "command": "notes", "args": ["--shop"] }, "stock": { "type": "sse", "url": "https://stock.example/events" } }, "history": [] }, "/work/bare": {} } }`,
  vscode: `{ "inputs": [ { "type": "promptString", "id": "gh-token", "description": "A token", "password": true }, { "type": "pickString", "id": "region", "options": ["eu"], "default": "eu" } ],
    "servers": { "github": { "type": "stdio", "command": "gh-mcp", "args": ["--region", "\${input:region}"], "cwd": "\${workspaceFolder}", "env": { "TOKEN": "\${input:gh-token}", "USER": "\${env:USER}" }, "dev": { "watch": "src/**" } } } }`,
  vscodeSettings: `{ "editor.fontSize": 14, "mcp": { "servers": { "web": { "url": "https://web.example/mcp" } } } }`,
  cursor: `{ "mcpServers": { "remote": { "url": "https://remote.example/sse", "headers": { "X-Key": "k" } } } }`,
  lmStudio: `{ "mcpServers": { "hub": { "url": "https://hub.example/mcp", "headers": { "Authorization": "Bearer abc" } } } }`,
  cline: `{ "mcpServers": { "weather": { "command": "node", "args": ["/opt/weather.js"], "disabled": true, "autoApprove": ["forecast"], "timeout": 60 } } }`,
  codex: `model = "m"

[mcp_servers.docs]
command = "docs-server"
args = ["--stdio"]
env_vars = ["DOCS_HOME"]
startup_timeout_sec = 20

[mcp_servers.docs.env]
MODE = "read"

[mcp_servers.tracker]
url = "https://tracker.example/mcp"
bearer_token_env_var = "TRACKER_TOKEN"
http_headers = { "X-Team" = "blue" }
`,
  registry: `{ "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", "name": "io.example/weather", "version": "1.0.2",
    "packages": [
      { "registryType": "npm", "identifier": "@example/weather", "version": "1.0.2", "transport": { "type": "stdio" },
        "packageArguments": [ { "type": "named", "name": "--units", "value": "{units}", "variables": { "units": { "default": "metric" } } }, { "type": "positional", "value": "serve" } ],
        "environmentVariables": [ { "name": "WEATHER_KEY", "isRequired": true, "isSecret": true }, { "name": "PROXY" } ] },
      { "registryType": "pypi", "identifier": "example-weather", "version": "1.0.2", "transport": { "type": "stdio" } },
      { "registryType": "oci", "identifier": "docker.io/example/weather:1.0.2", "transport": { "type": "stdio" }, "environmentVariables": [ { "name": "MODE", "default": "fast" } ] } ],
    "remotes": [ { "type": "streamable-http", "url": "https://{tenant}.weather.example/mcp", "variables": { "tenant": { "isRequired": true } } } ] }`,
  registrySnake: `{ "server": { "name": "io.example/old", "packages": [ { "registry_name": "npm", "name": "old-server", "version": "0.3.0", "runtime_hint": "npx", "runtime_arguments": [ { "type": "named", "name": "-y" } ],
    "environment_variables": [ { "name": "A", "value": "b" } ] } ], "remotes": [ { "transport_type": "sse", "url": "https://old.example/sse" } ] } }`,
} as const;

export const manifest = JSON.stringify({
  manifest_version: '0.3',
  name: 'bundled',
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.js'],
      env: { KEY: '${user_config.api_key}' },
    },
  },
  user_config: { api_key: { type: 'string', title: 'Key', sensitive: true, required: true } },
});

export function bundleText(files: Record<string, string>): string {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  ).toString('base64');
}

export const base64 = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64');
