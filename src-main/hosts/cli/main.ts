#!/usr/bin/env node
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { keychainIsStuck } from '../../adapters/secrets/keychain.ts';
import { createSecretGuard } from '../../adapters/secrets/secretGuard.ts';
import { takeEnvironment } from '../../runtime/ownEnvironment.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { keepMisreadingCompilerOff } from '../../runtime/v8Flags.ts';
import { guardedIo, noDecoding, type RawIo } from './commandIo.ts';
import { exitCodes } from './exitCodes.ts';
import { askAtTerminal } from './input/askAtTerminal.ts';
import { createOutput } from './output/output.ts';
import { createProgram } from './program.ts';
import { runProgram } from './runProgram.ts';
import { endWithLauncher, exitOnInterrupt, isInterrupted } from './signals.ts';

keepMisreadingCompilerOff();
const secretGuard = createSecretGuard();
const { variables, launcherPipe } = takeEnvironment();
const processIo: RawIo = {
  // Opened on demand: a command that reads nothing must not hold its standard input.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: variables,
  ask: askAtTerminal,
  decoding: noDecoding,
  commandLine: programFiles.commandLine,
  secretGuard,
  setExitCode: (code) => {
    process.exitCode = code;
  },
};
const io = guardedIo(processIo);

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  io.stderr.write(`Standard output can't be written (${error.code ?? error.message}).\n`);
  process.exit(exitCodes.incomplete);
});
// A closed standard error must not stop the work.
process.stderr.on('error', () => undefined);

// Node would exit with 1, which is reserved for a failed gate.
process.on('uncaughtException', (error: unknown) => {
  if (isInterrupted()) return;
  io.stderr.write(`Something went wrong inside Touchstone: ${errorStack(error)}\n`);
  process.exit(exitCodes.incomplete);
});

// Prints Node's warnings as one plain line, without process name and id.
process.removeAllListeners('warning');
process.on('warning', ({ message }) => io.stderr.write(`warning: ${message}\n`));

const program = createProgram(processIo);
endWithLauncher(launcherPipe);
exitOnInterrupt((text) => createOutput(program.opts(), io).note(text));
await runProgram(program, process.argv.slice(2), processIo);

// Everything is closed; only a keychain call that never returns can keep the process alive. Exits
// after all output is written.
if (keychainIsStuck())
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
