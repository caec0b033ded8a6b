import { CommanderError, type Command } from 'commander';
import { guardedIo, type RawIo } from './commandIo.ts';
import { exitCodeOf } from './exitCodes.ts';
import { describeError } from './output/describeError.ts';
import { asFileError } from './output/fileErrors.ts';
import { createOutput } from './output/output.ts';
import { isInterrupted } from './signals.ts';

/** Runs the command that the arguments name. It never throws: an error becomes an exit code. */
export async function runProgram(
  program: Command,
  args: readonly string[],
  io: RawIo,
): Promise<void> {
  const ran: { command: Command | null } = { command: null };
  program.hook('preAction', (_program, command) => {
    ran.command = command;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (isInterrupted()) return;
    io.setExitCode(exitCodeOf(asFileError(error) ?? error));
    if (error instanceof CommanderError) return;
    createOutput(program.opts(), guardedIo(io)).error(describeError(error, ran.command));
  }
}
