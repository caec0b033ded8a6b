import type { Command } from 'commander';
import type { CommandIo } from './commandIo.ts';
import { createOutput, type GlobalOptions, type Output } from './output/output.ts';

/** One invocation of a command: its global options, its process and its output. */
export interface CommandContext {
  readonly globals: GlobalOptions;
  readonly io: CommandIo;
  readonly output: Output;
}

/** Reads the global options of a command that is about to run. */
export function contextOf(command: Command, io: CommandIo): CommandContext {
  const globals = command.optsWithGlobals<GlobalOptions>();
  return { globals, io, output: createOutput(globals, io) };
}
