/** An action that the palette offers: a page that opens with the action begun. */
export interface PaletteAction {
  id: string;
  label: string;
  to: string;
  /** Other words by which people search for it. */
  keywords: readonly string[];
}

/** What can be begun from everywhere, the most frequent first, with its other words: id, label, page, words. */
const actions = `
  run | Run evaluation | /results/new | start, new evaluation, test, eval
  run-tasks | Run tasks | /results/new?run=tasks | task evaluation, trajectory, execute, agent
  fix | Fix the tools that fail most | /results/last | improve, advice, failures
  add-server | Add server | /tools?add | mcp, connect
  import-servers | Import servers | /tools/import | claude, cursor, vs code, mcp.json, configuration
  similar | Compare similar tools | /tools/similar | similarity, overlap, confused, heat map, duplicates
  tokens | Count tokens of tools | /tools/tokens | cost, money, context
  quality | Quality rules | /tools?quality | lint, description, score
  ratings | Rate tools with a model | /tools?ratings | rating, clarity, completeness, conciseness
  new-suite | New suite | /suites?new | cases
  import-suite | Import suite | /suites/import | import cases, promptfoo, bfcl, csv
  compare | Compare results | /results/last?compare= | difference, regression, fixed, broken
  trend | Trend of a suite | /suites | history, over time
  numbers | Numbers of several results | /results/numbers | metrics, precision, recall, F1
  proofs | Candidates and proofs | /tools?only=candidates | candidate, rewrite, verify, patch
  search | Search for better descriptions | /results/last/search | optimize, optimizer, automatic, tune
  what-if | Estimate a change | /results/last/estimate | what if, what-if, experiment, change tools
  scan | Scan tools for attacks | /tools/signals | poison, security scan, injection, signals, rug pull
  clients | See tools as clients show them | /tools/clients | client, Claude Code, Codex, Gemini CLI, Cursor, hidden, compatibility
  new-tool | New tool | /workshop/new | workshop, script
  keys | Set API keys | /settings | openai, anthropic, key, provider
  backup | Open data folder settings | /settings | backup, restore, workspace, diagnostics, log
`;

export const paletteActions: readonly PaletteAction[] = actions
  .trim()
  .split('\n')
  .map((line) => {
    const [id = '', label = '', to = '', keywords = ''] = line.trim().split(' | ');
    return { id, label, to, keywords: keywords.split(', ') };
  });
