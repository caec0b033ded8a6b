import type { Command } from 'commander';
import { resolve } from 'node:path';
import { salvageWorkspace } from '../../../services/settings/salvageWorkspace.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { workspaceOf } from '../session.ts';

export function addSalvage(declared: Command, io: CommandIo): void {
  declared
    .requiredOption('--out <folder>', 'output folder, one JSON Lines file per table')
    .addHelpText('after', '\nExample:\n  touchstone salvage --out ~/saved')
    .action((options: { out: string }, command: Command) => {
      const context = contextOf(command, io);
      const out = resolve(options.out);
      const { copy, tables } = salvageWorkspace(workspaceOf(context), out);
      context.output.answer({ copy, out, tables }, () =>
        [
          `A copy is in ${copy}.`,
          table([
            ['table', 'rows', 'trouble'],
            ...tables.map((each) => [each.table, String(each.rows), each.error ?? '']),
          ]),
        ].join('\n'),
      );
      if (tables.some(({ error }) => error !== null)) io.setExitCode(exitCodes.incomplete);
    });
}
