import { Command, Option } from 'commander';
import { programFiles } from '../../programFiles.ts';
import { addCompare } from './commands/compare.ts';
import { addCompletion } from './commands/completion.ts';
import { addEval } from './commands/eval.ts';
import { addKeys } from './commands/keys.ts';
import { addModels } from './commands/models.ts';
import { addExport } from './commands/export.ts';
import { addFindTool } from './commands/findTool.ts';
import { addFrontier } from './commands/frontier.ts';
import { addGate } from './commands/gate.ts';
import { addLint } from './commands/lint.ts';
import { addMetrics } from './commands/metrics.ts';
import { addOpen } from './commands/open.ts';
import { addRescore } from './commands/rescore.ts';
import { addRetrieval } from './commands/retrieval.ts';
import { addSalvage } from './commands/salvage.ts';
import { addScore } from './commands/score.ts';
import { addSecurity } from './commands/security.ts';
import { addServeTodo } from './commands/serveTodo.ts';
import { addServers } from './commands/servers.ts';
import { addSimilarity } from './commands/similarity.ts';
import { addSuite } from './commands/suite.ts';
import { addTokens } from './commands/tokens.ts';
import { addTools } from './commands/tools.ts';
import { addWhatIf } from './commands/whatIf.ts';
import { addWorkshop } from './commands/workshop.ts';
import { UsageError, type SetExit } from './exitCodes.ts';
import { didYouMean } from './nearest.ts';

export function createProgram(exit: SetExit): Command {
  const program = new Command('touchstone')
    .description('Tells you whether models pick the right MCP tool with the right arguments, and why not.')
    .version(programFiles.version)
    .option('--workspace <dir>', 'the workspace folder (TOUCHSTONE_HOME)')
    .addOption(new Option('--json', 'one JSON document on standard output'))
    .option('--quiet', 'no progress and no notes')
    .option('--no-color', 'no colours')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows how it is meant)')
    .addHelpText('after', '\nExample:\n  touchstone eval --suite todo-sample --provider builtin\n\nWithout a command it opens the app. `touchstone COMMAND --help` shows an example of each.')
    .hook('preSubcommand', (root, command) => refuseUnknown(root, command))
    .exitOverride();
  for (const add of [addOpen, addServers, addKeys, addModels, addTools, addSuite, addEval, addScore, addRescore, addCompare, addWhatIf, addMetrics, addGate, addExport, addSimilarity, addLint, addRetrieval, addSecurity, addTokens, addFindTool, addFrontier, addServeTodo, addWorkshop, addSalvage, addCompletion]) add(program, exit);
  for (const command of program.commands) for (const each of [command, ...command.commands]) each.exitOverride().showHelpAfterError('(--help shows how it is meant)');
  return program;
}

/** A word that is no command would else be taken for an argument of the one that runs where none is named. */
function refuseUnknown(root: Command, command: Command): void {
  const [word] = root.args;
  if (command.name() !== 'open' || word === undefined || word === 'open' || word.startsWith('-')) return;
  const known = root.commands.map((each) => each.name());
  throw new UsageError(`${word}: There is no such command.${didYouMean(word, known)} \`touchstone --help\` lists them.`);
}
