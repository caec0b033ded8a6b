import type { Command } from 'commander';
import { restoreWorkspace, workspaceBackups } from '../../../services/settings/restoreWorkspace.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { table } from '../output/output.ts';
import { workspaceOf } from '../session.ts';

export function addRestore(declared: Command, io: CommandIo): void {
  declared
    .option('--list', 'list the backups and change nothing')
    .addHelpText('after', '\nExample:\n  touchstone restore --list\n  touchstone restore')
    .action((backup: string | undefined, options: { list?: boolean }, command: Command) => {
      const context = contextOf(command, io);
      const folder = workspaceOf(context);
      if (options.list) {
        const backups = workspaceBackups(folder);
        context.output.answer({ backups }, () =>
          backups.length === 0
            ? 'There are no backups.'
            : table([
                ['written', 'bytes', 'file'],
                ...backups.map((each) => [each.writtenAt, String(each.bytes), each.file]),
              ]),
        );
        return;
      }
      const restored = restoreWorkspace(folder, backup);
      context.output.answer(restored, () =>
        [
          `The database is now the backup ${restored.backup}.`,
          ...(restored.aside === null ? [] : [`The replaced files are in ${restored.aside}.`]),
        ].join('\n'),
      );
    });
}
