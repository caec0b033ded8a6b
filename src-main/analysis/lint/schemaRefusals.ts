/** What is wrong with a place of a tool's definition. */
export type SchemaFlawKind =
  | 'unusable'
  | 'root-type'
  | 'root-union'
  | 'no-properties'
  | 'array-items'
  | 'tuple'
  | 'null-member'
  | 'null-keyword'
  | 'null-property'
  | 'null-root-member'
  | 'member-type'
  | 'keyword'
  | 'no-meaning'
  | 'root-members'
  | 'required-type'
  | 'type-name'
  | 'boolean-property'
  | 'boolean-below'
  | 'property-name'
  | 'empty-name'
  | 'output-root'
  | 'reference'
  | 'recursion'
  | 'lookaround'
  | 'property-escape'
  | 'named-group'
  | 'open-bracket'
  | 'not-ecmascript'
  | 'other-pattern'
  | 'dialect'
  | 'dialect-2019'
  | 'output-dialect'
  | 'name-characters'
  | 'name-length'
  | 'name-with-server'
  | 'duplicate-name'
  | 'duplicate-required'
  | 'duplicate-value';

/** A program or provider that refuses it, leaves the tool out, or loses all tools of the server. */
export interface Refusal {
  client: string;
  /** The report, or the version with which it was measured. */
  source: string;
  /** Providers never see output schemas. */
  readsInputOnly?: true;
}

const issue = (client: string, path: string): Refusal => ({
  client,
  source: `https://github.com/${path}`,
});
/** A provider's API, as a user of it reported. */
const api = (client: string, path: string): Refusal => ({
  ...issue(client, path),
  readsInputOnly: true,
});
/** Seen in the requests of the program itself, with a tool that has this flaw beside a sound one. */
const measured = {
  claude: { client: 'Claude Code', source: 'measured with Claude Code 2.1.197' },
  gemini: { client: 'Gemini CLI', source: 'measured with Gemini CLI 0.61.0' },
  qwen: { client: 'Qwen Code', source: 'measured with Qwen Code 0.24.4' },
  opencode: { client: 'opencode', source: 'measured with opencode 1.18.33' },
  continue: { client: 'Continue', source: 'measured with Continue 1.5.47' },
  codex: { client: 'Codex', source: 'measured with Codex 0.169.0' },
  cline: { client: 'Cline', source: 'measured with Cline 3.0.65' },
  /** Its list of tools is all or nothing. Many clients read tools with it. */
  sdk: { client: 'MCP TypeScript SDK', source: 'measured with @modelcontextprotocol/sdk 1.32.2' },
} satisfies Record<string, Refusal>;
const { claude, gemini, qwen, opencode, codex, cline, sdk } = measured;

/** Anthropic takes nothing that isn't valid under 2020-12, whatever the schema declares. */
const anthropicInvalid = api('Anthropic', 'anthropics/claude-code/issues/586');

/**
 * Who refuses what. Only what someone reported or what was measured; an empty list means that a
 * specification forbids it and no refusal is known.
 */
export const schemaRefusals: Readonly<Record<SchemaFlawKind, readonly Refusal[]>> = {
  unusable: [sdk, claude, gemini, qwen, opencode, measured.continue, codex, cline],
  'root-type': [
    sdk,
    claude,
    gemini,
    qwen,
    opencode,
    measured.continue,
    issue('Cursor', 'zereight/gitlab-mcp/issues/286'),
    api('OpenAI', 'vercel/ai/issues/7005'),
  ],
  'root-union': [
    claude,
    api('Anthropic', 'anthropics/claude-code/issues/40075'),
    api('OpenAI', 'langchain-ai/langchainjs/issues/9804'),
  ],
  'no-properties': [
    api('OpenAI', 'github/github-mcp-server/issues/1548'),
    issue('LM Studio', 'unclecode/crawl4ai/issues/2207'),
  ],
  'array-items': [
    api('OpenAI', 'digitalocean-labs/mcp-digitalocean/issues/265'),
    issue('VS Code', 'microsoft/vscode/issues/284536'),
  ],
  tuple: [codex, anthropicInvalid],
  'null-member': [sdk, claude, gemini, qwen, opencode, measured.continue],
  'null-keyword': [anthropicInvalid],
  'null-property': [sdk, claude, gemini, opencode, measured.continue, codex, anthropicInvalid],
  'member-type': [sdk, claude, gemini, qwen, opencode, measured.continue],
  keyword: [
    anthropicInvalid,
    api('OpenAI', 'smallmain/vscode-unify-chat-provider/issues/162'),
    issue('VS Code', 'microsoft/vscode/pull/244908'),
  ],
  // Valid by its form, so only what reads it notices.
  'no-meaning': [],
  // Claude Code and Gemini CLI were measured to refuse exactly the lists that this SDK refuses.
  'root-members': [sdk, claude, gemini, anthropicInvalid],
  'null-root-member': [sdk, claude, gemini, anthropicInvalid],
  'required-type': [
    sdk,
    claude,
    gemini,
    qwen,
    opencode,
    measured.continue,
    codex,
    anthropicInvalid,
  ],
  'type-name': [
    api('OpenAI', 'blurrah/mcp-graphql/issues/14'),
    api('Anthropic', 'blurrah/mcp-graphql/issues/14'),
  ],
  'boolean-property': [
    sdk,
    claude,
    gemini,
    opencode,
    measured.continue,
    api('Gemini', 'can1357/oh-my-pi/issues/5604'),
    api('Fireworks AI', 'androidStern-personal/openclaw-mcp-adapter/pull/9'),
  ],
  'boolean-below': [
    api('Gemini', 'can1357/oh-my-pi/issues/5604'),
    api('Fireworks AI', 'androidStern-personal/openclaw-mcp-adapter/pull/9'),
  ],
  'property-name': [api('Anthropic', 'anthropics/claude-code/issues/79418')],
  'empty-name': [],
  'output-root': [
    sdk,
    claude,
    gemini,
    measured.continue,
    issue('Cursor', 'Anil-matcha/awesome-gpt-6-astra/issues/11'),
    issue('MetaMCP', 'kenn-io/msgvault/issues/626'),
  ],
  reference: [
    issue('Gemini CLI', 'google-gemini/gemini-cli/issues/13326'),
    api('Gemini', 'RooCodeInc/Roo-Code/issues/11430'),
  ],
  recursion: [
    issue('Gemini CLI', 'google-gemini/gemini-cli/issues/14945'),
    issue('Google ADK', 'google/adk-python/issues/3870'),
  ],
  lookaround: [
    api('OpenAI', 'SmartBear/smartbear-mcp/issues/491'),
    api('Codex', 'can1357/oh-my-pi/issues/2784'),
    api('llama.cpp', 'codefuturist/email-mcp/pull/72'),
  ],
  'property-escape': [
    api('OpenAI', 'langfuse/langfuse/issues/14770'),
    api('Vertex AI', 'langfuse/langfuse/issues/14770'),
    api('GitHub Copilot', 'BerriAI/litellm/issues/40358'),
  ],
  // OpenAI compiles patterns with Python's re, which writes these groups in another way.
  'named-group': [api('OpenAI', 'BerriAI/litellm/pull/40485')],
  'open-bracket': [
    api('DeepSeek', 'Dokploy/mcp/issues/43'),
    api('DeepSeek', 'NangoHQ/nango/issues/7547'),
  ],
  'not-ecmascript': [
    issue('LangChain.js', 'langchain-ai/langchainjs/issues/11351'),
    issue('n8n', 'n8n-io/n8n/pull/35320'),
  ],
  'other-pattern': [],
  dialect: [
    issue('Sourcebot', 'sourcebot-dev/sourcebot/pull/1547'),
    issue('Mastra', 'mastra-ai/mastra/pull/24421'),
  ],
  'dialect-2019': [issue('Mastra', 'mastra-ai/mastra/pull/24421')],
  'output-dialect': [issue('Claude Code', 'anthropics/claude-code/issues/86142')],
  'name-characters': [
    api('OpenAI', 'openai/codex/issues/8174'),
    api('Anthropic', 'github/copilot-cli/issues/2581'),
    issue('Claude Desktop', 'barryw/ImmichMCP/issues/4'),
  ],
  'name-length': [
    issue('Claude Desktop', 'barryw/ImmichMCP/issues/4'),
    issue('Cursor', 'ComposioHQ/composio/issues/2788'),
    issue('VS Code', 'microsoft/vscode/issues/243602'),
  ],
  'name-with-server': [issue('Cursor', 'ComposioHQ/composio/issues/2788')],
  'duplicate-name': [qwen],
  'duplicate-required': [
    api('Anthropic', 'ComposioHQ/composio/issues/2933'),
    api('OpenAI', 'DingTalk-Real-AI/dingtalk-workspace-cli/issues/123'),
    issue('VS Code', 'ProfSynapse/nexus/issues/5'),
  ],
  'duplicate-value': [],
};
