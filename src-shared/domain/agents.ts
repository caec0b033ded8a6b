/** The agents that `datasets/agents_v1.json` describes, in its order. */
export const agentNames = [
  // Started once for each request.
  ...(['claude', 'codex', 'gemini', 'qwen', 'opencode', 'goose'] as const),
  // The same agents through the Agent Client Protocol.
  ...(['claude-acp', 'codex-acp', 'gemini-acp', 'qwen-acp', 'opencode-acp', 'goose-acp'] as const),
  'copilot-acp',
  // A program of our own without a model, to try what an agent under test is.
  'sample',
] as const;

/** The name of a model that is an agent: `claude`, or `claude/MODEL` where one is chosen. */
export const agentModel = (agent: string, model: string | null): string =>
  model === null || model === '' ? agent : `${agent}/${model}`;

export function partsOfAgentModel(name: string): { agent: string; model: string | null } {
  const at = name.indexOf('/');
  return at === -1
    ? { agent: name, model: null }
    : { agent: name.slice(0, at), model: name.slice(at + 1) };
}

/** How long an agent may be silent where nobody says otherwise, in seconds. */
export const agentTimeout = 300;
