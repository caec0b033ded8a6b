import { Command, Option } from 'commander';
import { findEncoding, offeredEncodings } from '../../../src-shared/display/decodeText.ts';
import { encodingName, encodingNames } from '../../../src-shared/domain/tokens.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { commandTexts, loadCommand, type Usage } from './commandList.ts';
import {
  guardedIo,
  type CommandIo,
  type Decoding,
  type OutputStream,
  type RawIo,
} from './commandIo.ts';
import { completedWords } from './declare.ts';
import { UsageError } from './exitCodes.ts';
import { didYouMean } from '../../../src-shared/display/nearest.ts';
import { defaultWaitSeconds } from './waitForWorkspace.ts';

const errorHint = '(see --help)';

/** Declares every command by name. A command's options and action are loaded when it is used. */
export function createProgram(processIo: RawIo): Command {
  const io = guardedIo(processIo);
  const program = new Command('touchstone')
    .description(
      'Tells you whether models pick the right MCP tool with the right arguments, and why not.',
    )
    .version(programFiles.version)
    .option('--workspace <dir>', 'the workspace folder (TOUCHSTONE_HOME)')
    .option(
      '--wait <seconds>',
      `how long to wait while another command holds the workspace (default: ${defaultWaitSeconds})`,
    )
    .addOption(encodingOption())
    .addOption(new Option('--json', 'print one JSON document on standard output'))
    .option('--quiet', 'print no progress and no notes')
    .option('--no-color', 'no colors')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(errorHint)
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin\n\nWithout a ' +
        'command it opens the app. `touchstone COMMAND --help` shows an example of each.',
    )
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
    })
    .exitOverride();
  const unloaded = new Map(
    (Object.keys(commandTexts) as Usage[]).map((usage) => [declareCommand(program, usage), usage]),
  );
  const load = async (command: Command): Promise<void> => {
    const usage = unloaded.get(command);
    if (usage === undefined) return;
    unloaded.delete(command);
    (await loadCommand[usage]())(command, io, () => loadAllCommands(program));
    for (const each of command.commands) each.exitOverride().showHelpAfterError(errorHint);
  };
  loaders.set(program, load);
  program
    .command('help [command]')
    .description('help for a command')
    .action(async (name: string | undefined) => {
      const named = program.commands.find((each) => each.name() === name);
      if (name !== undefined && named === undefined) throw unknownCommand(program, name);
      if (named !== undefined) await load(named);
      (named ?? program).help();
    });
  return program.hook('preSubcommand', async (root, command) => {
    rejectUnknownCommand(root, command);
    io.decoding = readDecoding(root, command, io);
    await load(command);
  });
}

function encodingOption(): Option {
  const option = new Option(
    '--encoding <name>',
    "the encoding of files that aren't UTF-8, such as windows-1252 (default: refuse them); " +
      'where tokens are counted, also cl100k_base (default) or o200k_base',
  ).argParser((name: string, before?: string[]) => [...(before ?? []), name]);
  completedWords.set(option, encodingNames);
  return option;
}

/** Commands whose `--encoding` may also name the encoding that they count tokens with. */
const countsTokens = new Set(['tokens', 'frontier', 'find-tool']);

function readDecoding(root: Command, command: Command, io: CommandIo): Decoding {
  const { encoding: given = [], quiet } = root.opts<{ encoding?: string[]; quiet?: boolean }>();
  const named = given.filter(
    (name) => !(countsTokens.has(command.name()) && encodingName.safeParse(name).success),
  );
  const unknown = named.find((name) => findEncoding(name) === null);
  if (unknown !== undefined)
    throw new UsageError(
      `--encoding ${unknown}: Unknown encoding. Give one such as ` +
        `${offeredEncodings.slice(0, 3).join(', ')}, shift_jis or utf-16le` +
        (countsTokens.has(command.name())
          ? ` for files, or ${encodingNames.join(' or ')} for tokens.`
          : '.'),
    );
  return {
    encoding: findEncoding(named.at(-1) ?? ''),
    note: (text) => void (quiet === true || io.stderr.write(`${text}\n`)),
  };
}

const widthOf = ({ isTTY, columns }: OutputStream): number => (isTTY ? (columns ?? 80) : 80);

const loaders = new WeakMap<Command, (command: Command) => Promise<void>>();

export async function loadAllCommands(program: Command): Promise<Command> {
  const load = loaders.get(program);
  if (load !== undefined) for (const command of program.commands) await load(command);
  return program;
}

function declareCommand(program: Command, usage: Usage): Command {
  return program
    .command(usage, { isDefault: usage.startsWith('open ') })
    .description(commandTexts[usage])
    .exitOverride()
    .showHelpAfterError(errorHint);
}

/**
 * Rejects an unknown command name. Commander would otherwise pass it to `open`, the default
 * command, as an argument.
 */
function rejectUnknownCommand(root: Command, command: Command): void {
  const [word] = root.args;
  if (command.name() !== 'open' || word === undefined || word === 'open' || word.startsWith('-'))
    return;
  throw unknownCommand(root, word);
}

function unknownCommand(root: Command, word: string): UsageError {
  const known = root.commands.map((each) => each.name());
  return new UsageError(
    `${word}: Unknown command.${didYouMean(word, known)} \`touchstone --help\` ` + 'lists them.',
  );
}
