import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { model } from './namespace.ts';

const gemini = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model };
const openai = {
  OPENAI_COMPATIBLE_API_KEY: 'none',
  OPENAI_BASE_URL: `${model}/v1`,
  OPENAI_MODEL: 'm',
};
const anthropic = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model };
const copilot = {
  ...{ OPENAI_COMPATIBLE_API_KEY: 'none', COPILOT_PROVIDER_BASE_URL: `${model}/v1` },
  ...{ COPILOT_PROVIDER_TYPE: 'openai', COPILOT_MODEL: 'gpt-4.1', COPILOT_OFFLINE: 'true' },
};
const opencode = {
  ...{ autoupdate: false, share: 'disabled', model: 'local/m', small_model: 'local/m' },
  provider: {
    local: {
      ...{ npm: '@ai-sdk/openai-compatible', name: 'local' },
      options: { baseURL: `${model}/v1`, apiKey: 'none' },
      models: { m: { name: 'm', tool_call: true } },
    },
  },
};
/** An agent of ours, and what it lacks to reach the model. */
export interface Played {
  agent: string;
  program: string;
  env: Record<string, string>;
  /** What its template lacks to reach the model. */
  template?: object;
}
/** The agents that a model on loopback can play, each as its documentation says. */
export const agents: readonly Played[] = [
  { agent: 'claude', program: 'claude', env: anthropic },
  { agent: 'claude-acp', program: 'claude-agent-acp', env: anthropic },
  { agent: 'gemini', program: 'gemini', env: gemini },
  { agent: 'gemini-acp', program: 'gemini', env: gemini },
  {
    ...{ agent: 'qwen', program: 'qwen', env: openai },
    template: {
      mcp: {
        ...{ file: '.qwen/settings.json', format: 'mcp-servers' },
        // This model doesn't search for tools.
        server: { trust: true, alwaysLoadTools: true },
      },
    },
  },
  {
    ...{ agent: 'qwen-acp', program: 'qwen', env: openai },
    // A session's servers can't ask to be loaded at once; this model doesn't search for tools.
    template: { files: { '.qwen/settings.json': { tools: { toolSearch: { enabled: false } } } } },
  },
  {
    ...{ agent: 'opencode', program: 'opencode', env: {} },
    template: {
      mcp: {
        ...{ file: '.config/opencode/opencode.json', format: 'opencode' },
        others: { ...opencode, permission: 'allow' },
      },
    },
  },
  {
    ...{ agent: 'opencode-acp', program: 'opencode', env: {} },
    template: { files: { '.config/opencode/opencode.json': opencode } },
  },
  { agent: 'copilot-acp', program: 'copilot', env: copilot },
  {
    agent: 'codex',
    program: 'codex',
    env: { OPENAI_API_KEY: 'none' },
    template: {
      mcp: {
        file: '.codex/config.toml',
        format: 'codex',
        server: { required: true },
        others: {
          ...{ model: 'gpt-5', model_provider: 'local' },
          model_providers: {
            local: {
              ...{ name: 'local', base_url: `${model}/v1`, env_key: 'CODEX_API_KEY' },
              wire_api: 'responses',
            },
          },
        },
      },
    },
  },
];

/** The program under test, with a workspace in a folder. */
export const touchstone = (folder: string): string[] => [
  ...[process.execPath, join(import.meta.dirname, '../../src-main/hosts/cli/main.ts')],
  ...['--workspace', join(folder, 'workspace')],
];

/** What `--agent` takes for an agent: its name, or a file in a folder that adds what it lacks. */
export function agentOption({ agent, template }: Played, folder: string): string {
  if (template === undefined) return agent;
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, JSON.stringify({ extends: agent, ...template }));
  return file;
}
