import type { Command } from 'commander';
import type { CommandIo } from './commandIo.ts';

/** Adds options and action to a command. `whole` loads every command of the program. */
type DefineCommand = (command: Command, io: CommandIo, whole: () => Promise<Command>) => void;

export interface ListedCommand {
  /** Name and arguments, in commander's notation. */
  usage: string;
  description: string;
  load: () => Promise<DefineCommand>;
}

/**
 * Every command, in the order of the help. Modules are loaded on demand, so that no command pays
 * the start-up time of all others.
 */
export const commandList: readonly ListedCommand[] = [
  {
    usage: 'open',
    description:
      'starts the app: in Electron where its binary is present, else in the browser over 127.0.0.1',
    load: async () => (await import('./commands/open.ts')).addOpen,
  },
  {
    usage: 'servers',
    description: 'the registered MCP servers',
    load: async () => (await import('./commands/servers.ts')).addServers,
  },
  {
    usage: 'keys',
    description: 'API keys of providers: only "set" or "not set" is ever shown',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    usage: 'models',
    description: 'the models of an endpoint, and what models cost',
    load: async () => (await import('./commands/models.ts')).addModels,
  },
  {
    usage: 'tools',
    description: 'the current tools of servers; exit code 3 if a server lists none',
    load: async () => (await import('./commands/tools.ts')).addTools,
  },
  {
    usage: 'suite',
    description: 'suites of test cases',
    load: async () => (await import('./commands/suite.ts')).addSuite,
  },
  {
    usage: 'eval',
    description: 'runs a suite against a model and prints the verdict',
    load: async () => (await import('./commands/eval.ts')).addEval,
  },
  {
    usage: 'evaluations',
    description: 'the evaluations of the workspace',
    load: async () => (await import('./commands/evaluations.ts')).addEvaluations,
  },
  {
    usage: 'check',
    description:
      'runs a suite as touchstone.yaml says and fails if it is below a threshold or worse than a ' +
      'baseline',
    load: async () => (await import('./commands/check.ts')).addCheck,
  },
  {
    usage: 'init',
    description:
      'writes a touchstone.yaml from the suites, tools and configurations of this folder',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  {
    usage: 'merge <reports...>',
    description:
      'makes one result of the parts of an evaluation that ran with --shard, and judges it',
    load: async () => (await import('./commands/merge.ts')).addMerge,
  },
  {
    usage: 'score',
    description: 'scores recorded calls line by line, without a model or a workspace',
    load: async () => (await import('./commands/score.ts')).addScore,
  },
  {
    usage: 'rescore <evaluation>',
    description: 'scores stored answers again without calling a model; the old scores are kept',
    load: async () => (await import('./commands/rescore.ts')).addRescore,
  },
  {
    usage: 'compare <baseline> <candidates...>',
    description:
      'compares evaluations case by case: regressed, fixed, still failing, and whether one ' +
      'is better',
    load: async () => (await import('./commands/compare.ts')).addCompare,
  },
  {
    usage: 'optimize',
    description: 'searches for better tool descriptions and proves them on held-out cases',
    load: async () => (await import('./commands/optimize.ts')).addOptimize,
  },
  {
    usage: 'what-if <evaluation>',
    description: 'repeats an evaluation with changed tools and lists the cases that flip',
    load: async () => (await import('./commands/whatIf.ts')).addWhatIf,
  },
  {
    usage: 'metrics',
    description: 'metrics over all runs of all evaluations that match the filters',
    load: async () => (await import('./commands/metrics.ts')).addMetrics,
  },
  {
    usage: 'gate <report>',
    description: 'compares a report with a baseline and thresholds, without a workspace',
    load: async () => (await import('./commands/gate.ts')).addGate,
  },
  {
    usage: 'export <evaluation>',
    description:
      'writes a report of an evaluation: HTML, a table, JSON, or what ' + 'CI systems read',
    load: async () => (await import('./commands/export.ts')).addExport,
  },
  {
    usage: 'verify <report>',
    description:
      'recounts the numbers of a JSON report from its rows; exit code 1 if one differs; opens no ' +
      'workspace',
    load: async () => (await import('./commands/verify.ts')).addVerify,
  },
  {
    usage: 'similarity',
    description: 'tools a model could confuse: every pair by overlap, flagged at a threshold',
    load: async () => (await import('./commands/similarity.ts')).addSimilarity,
  },
  {
    usage: 'lint',
    description: 'description quality by named rules, without a model',
    load: async () => (await import('./commands/lint.ts')).addLint,
  },
  {
    usage: 'retrieval',
    description:
      'scores a retriever, or your own ranking, on labeled requests; ' + 'opens no workspace',
    load: async () => (await import('./commands/retrieval.ts')).addRetrieval,
  },
  {
    usage: 'security',
    description:
      'finds poisoned tools, or scores detectors on a labeled corpus; no signal ' +
      "doesn't mean safe",
    load: async () => (await import('./commands/security.ts')).addSecurity,
  },
  {
    usage: 'signals',
    description: 'open security signals of the registered servers; marks them as safe',
    load: async () => (await import('./commands/signals.ts')).addSignals,
  },
  {
    usage: 'tokens',
    description: 'counts the tokens of tools by part; exit code 1 if a budget is exceeded',
    load: async () => (await import('./commands/tokens.ts')).addTokens,
  },
  {
    usage: 'find-tool',
    description:
      'finds the tools that match a description, and how many tokens showing only them saves',
    load: async () => (await import('./commands/findTool.ts')).addFindTool,
  },
  {
    usage: 'frontier',
    description: 'accuracy vs. tokens: runs a suite with only the best k tools shown, for each k',
    load: async () => (await import('./commands/frontier.ts')).addFrontier,
  },
  {
    usage: 'mcp',
    description:
      'Touchstone as an MCP server over stdio, for agents; read-only unless runs are allowed',
    load: async () => (await import('./commands/mcp.ts')).addMcp,
  },
  {
    usage: 'serve-todo',
    description: 'the bundled Todo server: five task tools over MCP',
    load: async () => (await import('./commands/serveTodo.ts')).addServeTodo,
  },
  {
    usage: 'serve-sample <server>',
    description: 'a server of the sample (calendar, mail, files): definitions only, runs no tool',
    load: async () => (await import('./commands/serveSample.ts')).addServeSample,
  },
  {
    usage: 'workshop',
    description: 'tools that you write, run and serve with Touchstone',
    load: async () => (await import('./commands/workshop.ts')).addWorkshop,
  },
  {
    usage: 'restore [backup]',
    description: 'replaces a damaged database with a backup; the damaged files are kept',
    load: async () => (await import('./commands/restore.ts')).addRestore,
  },
  {
    usage: 'salvage',
    description:
      'exports what is readable of a damaged workspace; the original is copied and never ' +
      'changed',
    load: async () => (await import('./commands/salvage.ts')).addSalvage,
  },
  {
    usage: 'completion <shell>',
    description:
      'prints a script with which bash, zsh or fish completes commands, options and their values',
    load: async () => (await import('./commands/completion.ts')).addCompletion,
  },
];
