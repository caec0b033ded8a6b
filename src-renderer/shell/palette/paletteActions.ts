/** An action that the palette offers: a page that opens with the action begun. */
export interface PaletteAction {
  id: string;
  label: string;
  to: string;
  /** Other words by which people search for it. */
  keywords: readonly string[];
}

/** What can be begun from everywhere, the most frequent first. */
export const paletteActions: readonly PaletteAction[] = [
  {
    id: 'run',
    label: 'Run evaluation',
    to: '/results/new',
    keywords: ['start', 'new evaluation', 'test', 'eval'],
  },
  {
    id: 'run-tasks',
    label: 'Run tasks',
    to: '/results/new?run=tasks',
    keywords: ['task evaluation', 'trajectory', 'execute', 'agent'],
  },
  {
    id: 'fix',
    label: 'Fix the tools that fail most',
    to: '/results/last',
    keywords: ['improve', 'advice', 'failures'],
  },
  { id: 'add-server', label: 'Add server', to: '/tools?add', keywords: ['mcp', 'connect'] },
  {
    id: 'import-servers',
    label: 'Import servers',
    to: '/tools/import',
    keywords: ['claude', 'cursor', 'vs code', 'mcp.json', 'configuration'],
  },
  {
    id: 'similar',
    label: 'Compare similar tools',
    to: '/tools/similar',
    keywords: ['similarity', 'overlap', 'confused', 'heat map', 'duplicates'],
  },
  {
    id: 'tokens',
    label: 'Count tokens of tools',
    to: '/tools/tokens',
    keywords: ['cost', 'money', 'context'],
  },
  {
    id: 'quality',
    label: 'Quality rules',
    to: '/tools?quality',
    keywords: ['lint', 'description', 'score'],
  },
  {
    id: 'ratings',
    label: 'Rate tools with a model',
    to: '/tools?ratings',
    keywords: ['rating', 'clarity', 'completeness', 'conciseness'],
  },
  { id: 'new-suite', label: 'New suite', to: '/suites?new', keywords: ['cases'] },
  {
    id: 'import-suite',
    label: 'Import suite',
    to: '/suites/import',
    keywords: ['import cases', 'promptfoo', 'bfcl', 'csv'],
  },
  {
    id: 'compare',
    label: 'Compare results',
    to: '/results/last?compare=',
    keywords: ['difference', 'regression', 'fixed', 'broken'],
  },
  {
    id: 'trend',
    label: 'Trend of a suite',
    to: '/suites',
    keywords: ['history', 'over time'],
  },
  {
    id: 'numbers',
    label: 'Numbers of several results',
    to: '/results/numbers',
    keywords: ['metrics', 'precision', 'recall', 'F1'],
  },
  {
    id: 'proofs',
    label: 'Candidates and proofs',
    to: '/tools?only=candidates',
    keywords: ['candidate', 'rewrite', 'verify', 'patch'],
  },
  {
    id: 'search',
    label: 'Search for better descriptions',
    to: '/results/last/search',
    keywords: ['optimize', 'optimizer', 'automatic', 'tune'],
  },
  {
    id: 'what-if',
    label: 'Estimate a change',
    to: '/results/last/estimate',
    keywords: ['what if', 'what-if', 'experiment', 'change tools'],
  },
  {
    id: 'scan',
    label: 'Scan tools for attacks',
    to: '/tools/signals',
    keywords: ['poison', 'security scan', 'injection', 'signals', 'rug pull'],
  },
  { id: 'new-tool', label: 'New tool', to: '/workshop/new', keywords: ['workshop', 'script'] },
  {
    id: 'keys',
    label: 'Set API keys',
    to: '/settings',
    keywords: ['openai', 'anthropic', 'key', 'provider'],
  },
  {
    id: 'backup',
    label: 'Open data folder settings',
    to: '/settings',
    keywords: ['backup', 'restore', 'workspace', 'diagnostics', 'log'],
  },
];
