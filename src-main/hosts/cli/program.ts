import { Command, Option } from 'commander';
import { programFiles } from '../../programFiles.ts';
import { addEval } from './commands/eval.ts';
import { addFindTool } from './commands/findTool.ts';
import { addFrontier } from './commands/frontier.ts';
import { addOpen } from './commands/open.ts';
import { addRescore } from './commands/rescore.ts';
import { addRetrieval } from './commands/retrieval.ts';
import { addSalvage } from './commands/salvage.ts';
import { addScore } from './commands/score.ts';
import { addServeTodo } from './commands/serveTodo.ts';
import { addServers } from './commands/servers.ts';
import { addSuite } from './commands/suite.ts';
import { addTokens } from './commands/tokens.ts';
import { addTools } from './commands/tools.ts';
import type { SetExit } from './exitCodes.ts';


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
    .exitOverride();
  for (const add of [addOpen, addServers, addTools, addSuite, addEval, addScore, addRescore, addServeTodo, addSalvage, addRetrieval, addTokens, addFindTool, addFrontier]) add(program, exit);
  for (const command of program.commands) for (const each of [command, ...command.commands]) each.exitOverride().showHelpAfterError('(--help shows how it is meant)');
  return program;
}
