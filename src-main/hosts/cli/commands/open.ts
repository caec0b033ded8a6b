import type { Command } from 'commander';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { openWindow } from '../openWindow.ts';
import { workspaceOf } from '../session.ts';

export function addOpen(declared: Command, io: CommandIo): void {
  declared
    .option('--host <host>', 'electron or loopback (default: whichever is available)')
    .option('--port <n>', 'port of the loopback window (default: the first free one from 8430)')
    .option('--no-browser', 'print the address and open nothing')
    .addHelpText('after', '\nExample:\n  touchstone open --host loopback --no-browser')
    .action(
      async (options: { host?: string; port?: string; browser: boolean }, command: Command) => {
        const context = contextOf(command, io);
        const port = options.port === undefined ? undefined : Number(options.port);
        if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535))
          throw new UsageError(
            `--port ${options.port ?? ''}: It isn't a port. Give a number from 0 (any free ` +
              'one) to 65535.',
          );
        if (
          options.host !== undefined &&
          options.host !== 'electron' &&
          options.host !== 'loopback'
        )
          throw new UsageError(`--host ${options.host}: Unknown value. Give electron or loopback.`);
        await openWindow({
          folder: workspaceOf(context),
          host: options.host,
          port,
          browser: options.browser,
          context,
        });
      },
    );
}
