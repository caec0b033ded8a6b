import { runCommand } from './commandLine.ts';

/** A command that a test of the browser asks for. */
export interface AskedCommand {
  id: number;
  args: readonly string[];
  workspace: string;
  env: NodeJS.ProcessEnv;
}

// Runs commands until whoever started this process is gone.
process.on('message', ({ id, args, workspace, env }: AskedCommand) => {
  void runCommand(args, { workspace, env }).then(
    (ended) => process.send?.({ id, ended }),
    (error: unknown) => process.send?.({ id, error }),
  );
});
process.on('disconnect', () => process.exit());
