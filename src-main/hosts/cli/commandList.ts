import type { Define } from './declare.ts';

/** Every command with its arguments and what it does, in the order of the help. */
export const commandTexts = {
  'open [command...]':
    'starts the app: in Electron where its binary is present, else in the browser over ' +
    '127.0.0.1; with a server, registers and checks it and opens its page',
  servers: 'the registered MCP servers',
  keys: 'API keys of providers: only "set" or "not set" is ever shown',
  models: 'the models of an endpoint, and what models cost',
  tools: 'the current tools of servers; exit code 3 if a server lists none',
  suite: 'suites of test cases',
  eval: 'runs a suite against a model and prints the verdict',
  evaluations: 'the evaluations of the workspace',
  check:
    'runs a suite as touchstone.yaml says and fails if it is below a threshold or worse than a ' +
    'baseline',
  init: 'writes a touchstone.yaml from the suites, tools and configurations of this folder, or else of the workspace',
  'merge <reports...>':
    'makes one result of the parts of an evaluation that ran with --shard, and judges it',
  score: 'scores recorded calls line by line, without a model or a workspace',
  'rescore <evaluation>':
    'scores stored answers again without calling a model; the old scores are kept',
  'compare <baseline> <candidates...>':
    'compares evaluations case by case: regressed, fixed, still failing, and whether one ' +
    'is better',
  optimize: 'searches for better tool descriptions and proves them on held-out cases',
  'what-if <evaluation>': 'repeats an evaluation with changed tools and lists the cases that flip',
  metrics: 'metrics over all runs of all evaluations that match the filters',
  'gate <report>': 'compares a report with a baseline and thresholds, without a workspace',
  'export <evaluation>':
    'writes a report of an evaluation: HTML, a table, JSON, or what ' + 'CI systems read',
  'verify <report>':
    'recounts the numbers of a JSON report from its rows; exit code 1 if one differs; opens no ' +
    'workspace',
  similarity: 'tools a model could confuse: every pair by overlap, flagged at a threshold',
  lint: 'description quality by named rules, without a model',
  clients: 'what Claude Code, Codex and other clients make of tools: hidden, renamed, cut, changed',
  retrieval:
    'scores a retriever, or your own ranking, on labeled requests; ' + 'opens no workspace',
  security:
    'finds poisoned tools, or scores detectors on a labeled corpus; no signal ' +
    "doesn't mean safe",
  signals: 'open security signals of the registered servers; marks them as safe',
  tokens: 'counts the tokens of tools by part; exit code 1 if a budget is exceeded',
  'find-tool':
    'finds the tools that match a description, and how many tokens showing only them saves',
  frontier: 'accuracy vs. tokens: runs a suite with only the best k tools shown, for each k',
  mcp: 'Touchstone as an MCP server over stdio, for agents; read-only unless runs are allowed',
  'gateway <server...>':
    'connects a client to a registered server: passes everything on, records it, and executes ' +
    'calls as its mode says',
  sessions: 'sessions of real clients that a gateway captured: calls, errors, repeated calls',
  'serve-todo': 'the bundled Todo server: five task tools over MCP',
  'serve-sample <server>':
    'a server of the sample (calendar, mail, files): definitions only, runs no tool',
  workshop: 'tools that you write, run and serve with Touchstone',
  'restore [backup]': 'replaces a damaged database with a backup; the damaged files are kept',
  salvage:
    'exports what is readable of a damaged workspace; the original is copied and never ' +
    'changed',
  'completion <shell>':
    'prints a script with which bash, zsh or fish completes commands, options and their values',
} as const;

export type Usage = keyof typeof commandTexts;

/** Modules are loaded on demand, so that no command pays the start-up time of all others. */
export const loadCommand: Readonly<Record<Usage, () => Promise<Define>>> = {
  'open [command...]': async () => (await import('./commands/open.ts')).open,
  servers: async () => (await import('./commands/servers.ts')).servers,
  keys: async () => (await import('./commands/keys.ts')).keys,
  models: async () => (await import('./commands/models.ts')).models,
  tools: async () => (await import('./commands/tools.ts')).tools,
  suite: async () => (await import('./commands/suite.ts')).suite,
  eval: async () => (await import('./commands/eval.ts')).evaluate,
  evaluations: async () => (await import('./commands/evaluations.ts')).evaluations,
  check: async () => (await import('./commands/check.ts')).check,
  init: async () => (await import('./commands/init.ts')).init,
  'merge <reports...>': async () => (await import('./commands/merge.ts')).merge,
  score: async () => (await import('./commands/score.ts')).score,
  'rescore <evaluation>': async () => (await import('./commands/rescore.ts')).rescore,
  'compare <baseline> <candidates...>': async () => (await import('./commands/compare.ts')).compare,
  optimize: async () => (await import('./commands/optimize.ts')).optimize,
  'what-if <evaluation>': async () => (await import('./commands/whatIf.ts')).whatIf,
  metrics: async () => (await import('./commands/metrics.ts')).metrics,
  'gate <report>': async () => (await import('./commands/gate.ts')).gate,
  'export <evaluation>': async () => (await import('./commands/export.ts')).exportReport,
  'verify <report>': async () => (await import('./commands/verify.ts')).verify,
  similarity: async () => (await import('./commands/similarity.ts')).similarity,
  lint: async () => (await import('./commands/lint.ts')).lint,
  clients: async () => (await import('./commands/clients.ts')).clients,
  retrieval: async () => (await import('./commands/retrieval.ts')).retrieval,
  security: async () => (await import('./commands/security.ts')).security,
  signals: async () => (await import('./commands/signals.ts')).signals,
  tokens: async () => (await import('./commands/tokens.ts')).tokens,
  'find-tool': async () => (await import('./commands/findTool.ts')).findTool,
  frontier: async () => (await import('./commands/frontier.ts')).frontier,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  'gateway <server...>': async () => (await import('./commands/gateway.ts')).gateway,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  'serve-todo': async () => (await import('./commands/serveTodo.ts')).serveTodo,
  'serve-sample <server>': async () => (await import('./commands/serveSample.ts')).serveSample,
  workshop: async () => (await import('./commands/workshop.ts')).workshop,
  'restore [backup]': async () => (await import('./commands/restore.ts')).restore,
  salvage: async () => (await import('./commands/salvage.ts')).salvage,
  'completion <shell>': async () => (await import('./commands/completion.ts')).completion,
};
