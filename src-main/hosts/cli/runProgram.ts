import { ORPCError } from '@orpc/client';
import { CommanderError, type Command } from 'commander';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { runWithoutWindow } from '../../runtime/window.ts';
import { guardedIo, type RawIo } from './commandIo.ts';
import { exitCodeOf } from './exitCodes.ts';
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
    await runWithoutWindow(() => program.parseAsync(args, { from: 'user' }));
  } catch (error) {
    if (isInterrupted()) return;
    io.setExitCode(exitCodeOf(asFileError(error) ?? error));
    if (error instanceof CommanderError) return;
    createOutput(program.opts(), guardedIo(io)).error(describeError(error, ran.command));
  }
}

const rejectedInput = z.object({
  issues: z.array(z.object({ path: z.string(), message: z.string() })).min(1),
});

/** Contract fields whose name differs from that of their option. */
const optionOfField: Record<string, string> = {
  command: 'stdio',
  args: 'stdio',
  folder: 'skills',
  headers: 'header',
  servers: 'server',
  suiteId: 'suite',
  recordFile: 'record',
  cacheFolder: 'cache',
  replayFile: 'replay',
  models: 'model',
};

/**
 * The message of an error for the terminal. Input that the contract rejects is reported by the
 * option or argument that it came from, with its value: names of procedures and fields mean nothing
 * to a user of the command line.
 */
function describeError(error: unknown, command: Command | null): string {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    const data = rejectedInput.safeParse(error.data);
    if (data.success)
      return data.data.issues
        .map(({ path, message }) => `${optionOrArgument(path, command)}: ${sentence(message)}`)
        .join('\n');
  }
  const file = asFileError(error);
  if (file) return file.message;
  return errorText(error);
}

function optionOrArgument(path: string, command: Command | null): string {
  const steps = path.split('.').reverse();
  for (const step of steps) {
    const field = optionOfField[step] ?? step;
    const option = command?.options.find((each) => each.attributeName() === field);
    if (option)
      return `${option.long ?? option.flags} ${displayValue(command?.getOptionValue(field))}`.trimEnd();
    const index = command?.registeredArguments.findIndex((each) => each.name() === field) ?? -1;
    if (index >= 0) return `${field} ${displayValue(command?.args[index])}`.trimEnd();
  }
  return command?.name() ?? 'touchstone';
}

function displayValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(displayValue).join(' ');
  return typeof value === 'string' ? (value === '' ? '""' : value.slice(0, 200)) : '';
}

const sentence = (message: string) => (/[.!?…]$/.test(message) ? message : `${message}.`);
