import { z } from 'zod';
import { define } from '../declare.ts';
import { readPort } from '../input/optionValues.ts';
import { openWindow } from '../openWindow.ts';
import { workspaceOf } from '../session.ts';

export const open = define({
  flags: {
    '--host <host>': {
      about: 'electron or loopback (default: whichever is available)',
      of: z.enum(['electron', 'loopback']),
    },
    '--port <n>': 'port of the loopback window (default: the first free one from 8430)',
    '--no-browser': 'print the address and open nothing',
  },
  example: 'open --host loopback --no-browser',
  async run({ options: { host, port, browser }, ...context }) {
    const given = port === undefined ? undefined : readPort(port, '--port');
    await openWindow({ folder: workspaceOf(context), host, port: given, browser, context });
  },
});
