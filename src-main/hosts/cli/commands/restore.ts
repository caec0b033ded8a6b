import { restoreWorkspace, workspaceBackups } from '../../../services/settings/restoreWorkspace.ts';
import { define } from '../declare.ts';
import { table } from '../output/output.ts';
import { workspaceOf } from '../session.ts';

export const restore = define({
  flags: { '--list': 'list the backups and change nothing' },
  example: 'restore --list\n  touchstone restore',
  run({ options, ...context }, backup: string | undefined) {
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
  },
});
