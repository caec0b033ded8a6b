import type { Command } from 'commander';
import { resolve } from 'node:path';
import { salvageWorkspace } from '../../../services/settings/salvageWorkspace.ts';
import { exitCodes, type SetExit } from '../exitCodes.ts';
import { createOutput, table, type GlobalOptions } from '../output/output.ts';
import { workspaceOf } from '../session.ts';

export function addSalvage(declared: Command, exit: SetExit): void {
  declared
    .requiredOption('--out <folder>', 'where the tables go, one file of JSON lines each')
    .addHelpText('after', '\nExample:\n  touchstone salvage --out ~/saved')
    .action((options: { out: string }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const out = resolve(options.out);
      const { copy, tables } = salvageWorkspace(workspaceOf(globals), out);
      createOutput(globals).answer({ copy, out, tables }, () =>
        [
          `A copy is in ${copy}.`,
          table([
            ['table', 'rows', 'trouble'],
            ...tables.map((each) => [each.table, String(each.rows), each.error ?? '']),
          ]),
        ].join('\n'),
      );
      if (tables.some(({ error }) => error !== null)) exit(exitCodes.incomplete);
    });
}
