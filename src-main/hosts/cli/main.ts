#!/usr/bin/env node
import { CommanderError, type Command } from 'commander';
import { keychainIsStuck } from '../../adapters/secrets/keychain.ts';
import { describeError } from './describeError.ts';
import { exitCodeOf } from './exitCodes.ts';
import { asFileTrouble } from './fileTrouble.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** One command, one exit code. The code is set, not forced: what is still being written to a pipe gets out. */
async function main(): Promise<void> {
  const program = createProgram((code) => {
    process.exitCode = code;
  });
  const ran: { command: Command | null } = { command: null };
  program.hook('preAction', (_program, command) => {
    ran.command = command;
  });
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    process.exitCode = exitCodeOf(asFileTrouble(error) ?? error);
    if (error instanceof CommanderError) return;
    createOutput(program.opts()).error(describeError(error, ran.command));
  }
}

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Standard output can't be written (${error.code ?? error.message}).\n`);
  process.exit(3);
});

// What stops nothing is told in one plain line, without the name and number of the process.
process.removeAllListeners('warning');
process.on('warning', ({ message }) => process.stderr.write(`warning: ${message}\n`));

await main();

// Everything is done and closed; only a keychain that never answers would hold the process. What was written gets out first.
if (keychainIsStuck()) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
