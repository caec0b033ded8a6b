import { join } from 'node:path';
import { makeFolder } from '../../../runtime/makeFolder.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readPort } from '../input/optionValues.ts';
import { workspaceOf } from '../session.ts';
import { untilInterrupted } from '../signals.ts';

export const serveTodo = define({
  flags: {
    '--stdio': 'use standard input and output (the default)',
    '--http <port>': 'use streamable HTTP on 127.0.0.1',
    '--db <file>':
      'its database (default: todo.sqlite in the workspace, or in the folder of a task run)',
  },
  example: 'serve-todo --http 8800 --db /tmp/todo.sqlite',
  async run({ options: { stdio, http, db: file }, ...context }) {
    if (stdio && http !== undefined)
      throw new UsageError("serve-todo: --stdio and --http can't be combined. Choose one.");
    if (http === undefined) {
      const { serveTodoOverStdio } = await import('../../../servers/todo/stdio.ts');
      await serveTodoOverStdio({ file: file ?? ownFile() });
      return;
    }
    const port = readPort(http, '--http');
    const { serveTodoOverHttp } = await import('../../../servers/todo/http.ts');
    const server = await serveTodoOverHttp({ file: file ?? ownFile(), port });
    context.output.answer({ url: server.url }, () => server.url);
    await untilInterrupted();
    await server.close();

    /** In a task evaluation, every run has a database of its own. */
    function ownFile(): string {
      const folder = context.io.env['TOUCHSTONE_RUN_DIR'] ?? workspaceOf(context);
      makeFolder(folder);
      return join(folder, 'todo.sqlite');
    }
  },
});
