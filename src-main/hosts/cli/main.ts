#!/usr/bin/env node
import { CommanderError, type Command } from 'commander';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { keychainIsStuck } from '../../adapters/secrets/keychain.ts';
import { describeError } from './output/describeError.ts';
import { exitCodeOf, exitCodes } from './exitCodes.ts';
import { asFileTrouble } from './output/fileTrouble.ts';
import { createOutput } from './output/output.ts';
import { createProgram } from './program.ts';
import { endOnInterrupt, isEnding } from './signals.ts';

/**
 * One command, one exit code. The code is set, not forced: what is still being written to a pipe
 * gets out.
 */
async function main(): Promise<void> {
  const program = createProgram((code) => {
    process.exitCode = code;
  });
  const ran: { command: Command | null } = { command: null };
  program.hook('preAction', (_program, command) => {
    ran.command = command;
  });
  endOnInterrupt((text) => createOutput(program.opts()).note(text));
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (isEnding()) return;
    process.exitCode = exitCodeOf(asFileTrouble(error) ?? error);
    if (error instanceof CommanderError) return;
    createOutput(program.opts()).error(describeError(error, ran.command));
  }
}

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Standard output can't be written (${error.code ?? error.message}).\n`);
  process.exit(exitCodes.incomplete);
});
// Messages that nobody can read are no reason to leave the work undone.
process.stderr.on('error', () => undefined);

// By itself Node would end with 1, which is a gate's alone.
process.on('uncaughtException', (error: unknown) => {
  if (isEnding()) return;
  process.stderr.write(`Something went wrong inside Touchstone: ${errorStack(error)}\n`);
  process.exit(exitCodes.incomplete);
});

// What stops nothing is told in one plain line, without the name and number of the process.
process.removeAllListeners('warning');
process.on('warning', ({ message }) => process.stderr.write(`warning: ${message}\n`));

await main();

// Everything is done and closed; only a keychain that never answers would hold the process. What
// was written gets out first.
if (keychainIsStuck())
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
