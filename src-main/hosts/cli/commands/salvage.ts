import { resolve } from 'node:path';
import { salvageWorkspace } from '../../../services/settings/salvageWorkspace.ts';
import { define } from '../declare.ts';
import { exitCodes } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { workspaceOf } from '../session.ts';

export const salvage = define({
  flags: {
    '--out <folder>': { about: 'output folder, one JSON Lines file per table', required: true },
  },
  example: 'salvage --out ~/saved',
  run({ options, ...context }) {
    const out = resolve(options.out);
    const { copy, tables, missing } = salvageWorkspace(workspaceOf(context), out);
    context.output.answer({ copy, out, tables, missing }, () =>
      [
        `A copy is in ${copy}.`,
        table([
          ['table', 'rows', 'trouble'],
          ...tables.map((each) => [each.table, String(each.rows), each.error ?? '']),
        ]),
        ...missing,
      ].join('\n'),
    );
    if (missing.length > 0 || tables.some(({ error }) => error !== null))
      context.io.setExitCode(exitCodes.incomplete);
  },
});
