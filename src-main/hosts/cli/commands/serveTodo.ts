import type { Command } from 'commander';
import { join } from 'node:path';
import { makeFolder } from '../../../runtime/makeFolder.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { workspaceOf } from '../session.ts';
import { onInterrupt } from '../signals.ts';

export function addServeTodo(declared: Command, io: CommandIo): void {
  declared
    .option('--stdio', 'use standard input and output (the default)')
    .option('--http <port>', 'use streamable HTTP on 127.0.0.1')
    .option(
      '--db <file>',
      'its database (default: todo.sqlite in the workspace, or in the folder of a task run)',
    )
    .addHelpText('after', '\nExample:\n  touchstone serve-todo --http 8800 --db /tmp/todo.sqlite')
    .action(async (options: { stdio?: boolean; http?: string; db?: string }, command: Command) => {
      const context = contextOf(command, io);
      if (options.stdio && options.http !== undefined)
        throw new UsageError("serve-todo: --stdio and --http can't be combined. Choose one.");
      let file = options.db;
      if (file === undefined) {
        // In a task evaluation, every run has a database of its own.
        const folder = io.env['TOUCHSTONE_RUN_DIR'] ?? workspaceOf(context);
        makeFolder(folder);
        file = join(folder, 'todo.sqlite');
      }
      if (options.http === undefined) {
        const { serveTodoOverStdio } = await import('../../../servers/todo/stdio.ts');
        await serveTodoOverStdio({ file });
        return;
      }
      const port = Number(options.http);
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new UsageError(
          `serve-todo: ${options.http} isn't a port. Give a number from 0 (any free one) to 65535.`,
        );
      const { serveTodoOverHttp } = await import('../../../servers/todo/http.ts');
      const server = await serveTodoOverHttp({ file, port });
      context.output.answer({ url: server.url }, () => server.url);
      const stopped = Promise.withResolvers<void>();
      const done = onInterrupt(stopped.resolve);
      await stopped.promise;
      done();
      await server.close();
    });
}
