#!/usr/bin/env node
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { keychainIsStuck } from '../../adapters/secrets/keychain.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import type { CommandIo } from './commandIo.ts';
import { exitCodes } from './exitCodes.ts';
import { createOutput } from './output/output.ts';
import { createProgram } from './program.ts';
import { runProgram } from './runProgram.ts';
import { endOnInterrupt, isEnding } from './signals.ts';

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Standard output can't be written (${error.code ?? error.message}).\n`);
  process.exit(exitCodes.incomplete);
});
// Messages that nobody can read are no reason to leave the work undone.
process.stderr.on('error', () => undefined);

// By itself Node would end with 1, which is reserved for a failed gate.
process.on('uncaughtException', (error: unknown) => {
  if (isEnding()) return;
  process.stderr.write(`Something went wrong inside Touchstone: ${errorStack(error)}\n`);
  process.exit(exitCodes.incomplete);
});

// Node's warnings stop nothing: one plain line, without the name and number of the process.
process.removeAllListeners('warning');
process.on('warning', ({ message }) => process.stderr.write(`warning: ${message}\n`));

const processIo: CommandIo = {
  // Opened when it is asked for: a command that reads nothing must not hold its standard input.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  commandLine: programFiles.commandLine,
  setExitCode: (code) => {
    process.exitCode = code;
  },
};

const program = createProgram(processIo);
endOnInterrupt((text) => createOutput(program.opts(), processIo).note(text));
await runProgram(program, process.argv.slice(2), processIo);

// Everything is done and closed; only a keychain that never answers would hold the process. What
// was written gets out first.
if (keychainIsStuck())
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
