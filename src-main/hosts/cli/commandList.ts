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
    description: 'keys of providers: "set" or "not set", never more',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    usage: 'models',
    description: 'what endpoints offer, and what models cost',
    load: async () => (await import('./commands/models.ts')).addModels,
  },
  {
    usage: 'tools',
    description: 'the tools of servers as they are now; 3 where a server gives none',
    load: async () => (await import('./commands/tools.ts')).addTools,
  },
  {
    usage: 'suite',
    description: 'suites of test cases',
    load: async () => (await import('./commands/suite.ts')).addSuite,
  },
  {
    usage: 'eval',
    description: 'runs a suite against a model and prints how well it chose',
    load: async () => (await import('./commands/eval.ts')).addEval,
  },
  {
    usage: 'score',
    description: 'scores recorded calls line by line; calls no model and opens no workspace',
    load: async () => (await import('./commands/score.ts')).addScore,
  },
  {
    usage: 'rescore <evaluation>',
    description: 'scores stored answers once more and calls no model; the old scores are kept',
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
    usage: 'what-if <evaluation>',
    description: 'repeats an evaluation on changed tools and lists the cases that flip',
    load: async () => (await import('./commands/whatIf.ts')).addWhatIf,
  },
  {
    usage: 'metrics',
    description: 'sums up every run that the filters leave, over all evaluations',
    load: async () => (await import('./commands/metrics.ts')).addMetrics,
  },
  {
    usage: 'gate <report>',
    description: 'holds a report against a baseline and thresholds; opens no workspace',
    load: async () => (await import('./commands/gate.ts')).addGate,
  },
  {
    usage: 'export <evaluation>',
    description:
      'writes a report of an evaluation: a page, a table, a document for programs, or what ' +
      'CI reads',
    load: async () => (await import('./commands/export.ts')).addExport,
  },
  {
    usage: 'verify <report>',
    description:
      'recounts the numbers of a JSON report from its own rows; 1 where one differs; opens no ' +
      'workspace',
    load: async () => (await import('./commands/verify.ts')).addVerify,
  },
  {
    usage: 'similarity',
    description: 'which tools read alike: every pair by overlap, flagged at a threshold',
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
      'scores a retriever, or somebody else’s ranking, against a labelled set of requests; ' +
      'opens no workspace',
    load: async () => (await import('./commands/retrieval.ts')).addRetrieval,
  },
  {
    usage: 'security',
    description:
      'looks for poisoned tools, or scores detectors on a labelled corpus; finds signals, ' +
      'never proves that a tool is harmless',
    load: async () => (await import('./commands/security.ts')).addSecurity,
  },
  {
    usage: 'tokens',
    description: 'counts the tokens of tools by part; 1 where a budget is exceeded',
    load: async () => (await import('./commands/tokens.ts')).addTokens,
  },
  {
    usage: 'find-tool',
    description: 'finds the tools that fit a description, and says what showing only them saves',
    load: async () => (await import('./commands/findTool.ts')).addFindTool,
  },
  {
    usage: 'frontier',
    description:
      'accuracy against tokens: runs a suite with only the best k tools shown, for each k',
    load: async () => (await import('./commands/frontier.ts')).addFrontier,
  },
  {
    usage: 'serve-todo',
    description: 'the bundled Todo server: five task tools over MCP',
    load: async () => (await import('./commands/serveTodo.ts')).addServeTodo,
  },
  {
    usage: 'workshop',
    description: 'tools that are written, run and served here',
    load: async () => (await import('./commands/workshop.ts')).addWorkshop,
  },
  {
    usage: 'restore [backup]',
    description: 'puts a backup in the place of a damaged database, which is kept aside',
    load: async () => (await import('./commands/restore.ts')).addRestore,
  },
  {
    usage: 'salvage',
    description:
      'saves what is readable of a damaged workspace; the original is copied aside and never ' +
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
